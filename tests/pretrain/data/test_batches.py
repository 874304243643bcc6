from itertools import chain

import pytest
import torch

from pretrain.config import TrainingConfig, TrainingError
from pretrain.data.batches import Batches
from pretrain.data.feed import feed
from pretrain.data.masking import IGNORED


def options(**changed) -> TrainingConfig:
    return TrainingConfig(**{"batch_size": 5, "validation_share": 0.0, **changed})


def read(corpus, small, config: TrainingConfig, step: int, ranks: int) -> dict:
    """What all ranks read of a step, by place in it."""
    found = {}
    for rank in range(ranks):
        dealt = Batches(corpus, small, config, rank, ranks)[step]
        for part, rows in zip(dealt.parts, dealt.rows, strict=True):
            labels = part.query.instruction_labels
            found |= {place: rows[i] for i, place in enumerate(part.places.tolist())}
            assert part.totals[0] == (labels != IGNORED).sum()
            assert part.classes.tolist() == dealt.classes[part.places].tolist()
    return found


@pytest.mark.parametrize("budget", [1, 40, 10_000])
@pytest.mark.parametrize("ranks", [1, 2, 5])
def test_a_step_is_the_same_however_it_is_shared_out_and_cut(melodies, small, ranks, budget):
    config = options(token_budget=budget)
    alone = Batches(melodies, small, options(token_budget=10_000))[3]
    assert len(alone.parts) == 1
    shared = read(melodies, small, config, 3, ranks)
    assert [shared[place] for place in range(5)] == alone.rows[0]


@pytest.mark.parametrize("ranks", [1, 2, 5])
def test_what_is_hidden_of_a_function_is_too(melodies, small, ranks):
    alone = Batches(melodies, small, options())[2].parts[0].query
    config = options(token_budget=1)
    shared = [Batches(melodies, small, config, rank, ranks)[2] for rank in range(ranks)]
    for name in ("instruction_labels", "environment_labels"):
        hidden = {}
        for part in chain.from_iterable(step.parts for step in shared):
            labels = getattr(part.query, name).split(14)  # tokens of every function
            hidden |= dict(zip(part.places.tolist(), labels, strict=True))
        labels = [hidden[place] for place in range(5)]
        assert torch.equal(torch.cat(labels), getattr(alone, name))


def test_steps_differ_and_their_masks(melodies, small):
    batches = Batches(melodies, small, options(batch_size=6))
    first, next_epoch = batches[0].parts[0].query, batches[1].parts[0].query
    assert not torch.equal(first.instruction_labels, next_epoch.instruction_labels)


def test_what_is_held_out_is_never_read(melodies, small):
    config = options(validation_share=0.4, batch_size=12)
    batches = Batches(melodies, small, config)
    groups = {melodies.groups[row] for row in chain(*chain(*batches[0].rows))}
    assert 0 < len(groups) < 6


def test_what_is_read_is_counted(melodies, small):
    step = Batches(melodies, small, options(token_budget=60))[0]
    assert len(step.parts) > 1
    assert step.counts["functions"] == 5
    assert step.counts["instructions"] == 5 * 2 * 14
    assert step.counts["tokens"] == 5 * 2 * 2 * 14


def test_more_ranks_than_functions_are_refused(melodies, small):
    with pytest.raises(TrainingError, match="cannot be shared by 6 processes"):
        Batches(melodies, small, options(), 0, 6)


def test_without_workers_steps_come_in_order(melodies, small):
    batches = Batches(melodies, small, options())
    assert [step.number for step in feed(batches, 3, 6, workers=0)] == [3, 4, 5]
