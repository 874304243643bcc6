from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from oscar.batching import collate
from oscar.tokenizer import MASK, SPECIAL
from pretrain.config import CHOICES
from pretrain.data.masking import IGNORED, choose, mask_batch

functions = st.lists(st.lists(st.integers(1, 6), min_size=1, max_size=30), min_size=1, max_size=4)
STREAMS = ("instruction", "environment")


def split(tokens: torch.Tensor, entries: list[list[int]]) -> list[list[int]]:
    """The tokens of one function, instruction by instruction."""
    return [part.tolist() for part in tokens.split([len(entry) for entry in entries])]


@settings(deadline=None)
@given(lengths=functions, seed=st.integers(0, 1000), masking=st.sampled_from(CHOICES["masking"]))
def test_whole_entries_and_disjoint(encode, small, lengths, seed, masking):
    for function in map(encode, lengths):
        masked = mask_batch([function], small, 0.15, [seed], masking)
        hidden = {}
        for name in STREAMS:
            tokens, labels = getattr(masked.batch, name).ids, getattr(masked, f"{name}_labels")
            original = getattr(function, name).lists()
            hidden[name] = set()
            for place, (shown, wanted) in enumerate(
                zip(split(tokens, original), split(labels, original), strict=True)
            ):
                if IGNORED in wanted:
                    assert (set(wanted), shown) == ({IGNORED}, original[place])
                else:
                    hidden[name].add(place)
                    assert wanted == original[place]
                    assert all(token == MASK or token >= len(SPECIAL) for token in shown)
        assert not hidden["instruction"] & hidden["environment"]


@pytest.mark.parametrize("masking", CHOICES["masking"])
def test_rates(encode, small, masking):
    given = [encode([5] * 60)] * 100
    before, masked = collate(given, small), mask_batch(given, small, 0.15, range(100), masking)
    for name, size in zip(STREAMS, (30, 20), strict=True):
        target = getattr(masked, f"{name}_labels") != IGNORED
        old, new = (getattr(b, name).ids[target] for b in (before, masked.batch))
        assert target.float().mean() == pytest.approx(0.15, abs=1e-6)
        kept_by_chance = 0.1 / (size - len(SPECIAL))
        assert (new == MASK).float().mean() == pytest.approx(0.8, abs=0.02)
        assert (new == old).float().mean() == pytest.approx(0.1 + kept_by_chance, abs=0.02)


def test_what_is_hidden_of_a_function_is_its_own_seed_s_matter(encode, small):
    first, second = encode([1] * 20), encode([1] * 8)
    alone = mask_batch([first], small, 0.15, [3])
    last = mask_batch([second, first], small, 0.15, [9, 3])
    for name in STREAMS:
        ids, labels = getattr(alone.batch, name).ids, getattr(alone, f"{name}_labels")
        assert torch.equal(getattr(last.batch, name).ids[8:], ids)
        assert torch.equal(getattr(last, f"{name}_labels")[8:], labels)
    other = mask_batch([first], small, 0.15, [4])
    assert not torch.equal(other.instruction_labels, alone.instruction_labels)
    assert first == encode([1] * 20)


@pytest.mark.parametrize(("streams", "left_out"), [("instructions", 1), ("environment", 0)])
def test_nothing_is_hidden_of_a_stream_that_is_not_read(encode, small, streams, left_out):
    function = encode([2] * 20)
    masked = mask_batch([function], replace(small, streams=streams), 0.15, [0])
    labels = (masked.instruction_labels, masked.environment_labels)
    assert (labels[left_out] == IGNORED).all()
    assert (labels[1 - left_out] != IGNORED).sum() == 2 * 3
    unread = (masked.batch.instruction, masked.batch.environment)[left_out]
    assert unread.ids.tolist() == getattr(function, STREAMS[left_out]).ids.tolist()


@given(
    length=st.integers(1, 60),
    rate=st.floats(0.01, 0.49),
    seed=st.integers(0, 1000),
    masking=st.sampled_from(CHOICES["masking"]),
)
def test_either_stream_gives_its_share(length, rate, seed, masking):
    instructions, entries = choose(length, rate, np.random.default_rng(seed), masking)
    wanted = max(1, round(rate * length))
    assert (instructions.sum(), entries.sum()) == (wanted, min(wanted, length - wanted))
    assert not (instructions & entries).any()


@pytest.mark.parametrize("masking", CHOICES["masking"])
def test_every_instruction_is_chosen_equally_often(masking):
    random = np.random.default_rng(0)
    share = np.mean([choose(10, 0.2, random, masking) for _ in range(3000)], axis=0)
    assert np.allclose(share, 0.2, atol=0.03)


@pytest.mark.parametrize(("masking", "mean"), [("entries", 1 / 0.85), ("spans", 3)])
def test_spans_hide_several_in_a_row(masking, mean):
    for chosen in choose(20_000, 0.15, np.random.default_rng(0), masking):
        runs = (np.diff(chosen.astype(int)) == 1).sum()
        # Entries and spans that touch look like one.
        assert chosen.sum() / runs == pytest.approx(mean, rel=0.2)
