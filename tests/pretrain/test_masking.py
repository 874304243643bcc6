import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from oscar.tokenizer import MASK, PAD, SPECIAL
from pretrain.masking import IGNORED, choose, mask_batch

functions = st.lists(st.lists(st.integers(1, 6), min_size=1, max_size=30), min_size=1, max_size=4)


def entries_of(labels: torch.Tensor, slots: torch.Tensor) -> set[int]:
    """Numbers K · group + slot of the instructions with a label, K = 4."""
    group, token = (labels != IGNORED).nonzero(as_tuple=True)
    return set((4 * group + slots[group, token]).tolist())


@settings(deadline=None)
@given(functions=functions, seed=st.integers(0, 1000))
def test_whole_entries_disjoint_and_never_padding(batch_of, small, functions, seed):
    batch = batch_of(*functions)
    masked = mask_batch(batch, small, 0.15, torch.Generator().manual_seed(seed))
    hidden = {}
    for name in ("instruction", "environment"):
        stream, original = getattr(masked.batch, name), getattr(batch, name)
        labels = getattr(masked, f"{name}_labels")
        target = labels != IGNORED
        hidden[name] = entries_of(labels, stream.slots)
        # Whole entries: each token of a hidden entry is a target, no token of another is.
        rows = 4 * torch.arange(len(stream.slots))[:, None] + stream.slots
        belongs = torch.isin(rows, torch.tensor(sorted(hidden[name]))) & (stream.slots >= 0)
        assert torch.equal(target, belongs)
        assert torch.equal(labels[target], original.tokens[target])
        assert torch.equal(stream.tokens[~target], original.tokens[~target])
        assert (stream.tokens[stream.slots < 0] == PAD).all()
        ordinary = stream.tokens[target] >= len(SPECIAL)
        assert (ordinary | (stream.tokens[target] == MASK)).all()
    assert not hidden["instruction"] & hidden["environment"]
    for row, lengths in zip(batch.rows, functions, strict=True):
        own = set(row[: len(lengths)].tolist())
        wanted = max(1, round(0.15 * len(lengths) + 1e-9))
        assert len(own & hidden["instruction"]) in (wanted, max(1, round(0.15 * len(lengths))))
        assert bool(own & hidden["environment"]) == (len(lengths) > 1)


def test_rates(batch_of, small):
    batch = batch_of(*[[5] * 60] * 100)
    masked = mask_batch(batch, small, 0.15, torch.Generator().manual_seed(0))
    for name, size in (("instruction", 30), ("environment", 20)):
        target = getattr(masked, f"{name}_labels") != IGNORED
        before, after = (getattr(b, name).tokens[target] for b in (batch, masked.batch))
        assert target.float().mean() == pytest.approx(0.15, abs=1e-6)
        kept_by_chance = 0.1 / (size - len(SPECIAL))
        assert (after == MASK).float().mean() == pytest.approx(0.8, abs=0.02)
        assert (after == before).float().mean() == pytest.approx(0.1 + kept_by_chance, abs=0.02)


def test_same_generator_state_same_masks_and_the_batch_is_left_alone(batch_of, small):
    batch = batch_of([2] * 20, [3] * 7)
    before = batch.instruction.tokens.clone()
    first, again, other = (
        mask_batch(batch, small, 0.15, torch.Generator().manual_seed(seed)) for seed in (3, 3, 4)
    )
    assert torch.equal(first.batch.instruction.tokens, again.batch.instruction.tokens)
    assert torch.equal(first.environment_labels, again.environment_labels)
    assert not torch.equal(first.instruction_labels, other.instruction_labels)
    assert torch.equal(batch.instruction.tokens, before)


def test_every_instruction_is_chosen_equally_often():
    real = torch.ones(1, 10, dtype=torch.bool)
    generator = torch.Generator().manual_seed(0)
    counts = torch.zeros(2, 10)
    for _ in range(2000):
        for stream, chosen in enumerate(choose(real, 0.2, generator)):
            counts[stream] += chosen[0]
    assert torch.allclose(counts / 2000, torch.full((2, 10), 0.2), atol=0.03)
