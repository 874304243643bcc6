"""What the O(n) attention is for: functions of 16,384 instructions, in memory that grows with n."""

import numpy as np
import pytest
import torch

from benchmarks.parts.peak_memory import peak_growth
from oscar.batching import collate
from oscar.encoded import EncodedFunction


def straight(n: int) -> EncodedFunction:
    """n instructions of three tokens in a line, with a jump back now and then."""
    entries = [[3 + i % 7, 4 + i % 5, 3 + i % 11] for i in range(n)]
    positions = [(i, i + 1, i - 9 if i % 10 == 9 else i + 1) for i in range(n)]
    return EncodedFunction.of(entries, entries, positions)


def memory_of_a_step(model: torch.nn.Module, n: int) -> float:
    """Megabytes of forward and backward over one function."""
    batch = collate([straight(n)], model.config)
    assert batch.cuts.instructions == 0

    def step() -> None:
        model(batch).embedding.square().sum().backward()
        model.zero_grad()

    return peak_growth(step, torch.device("cpu"))


@pytest.mark.slow
def test_memory_grows_no_faster_than_the_function_and_checkpointing_saves_most(small_model):
    model = small_model(max_instructions=16_384, function_layers=12).train()
    memory_of_a_step(model, 64)
    short, long = (memory_of_a_step(model, n) for n in (4096, 16_384))
    assert long < 4.5 * short
    model.gradient_checkpointing_enable()
    assert memory_of_a_step(model, 16_384) < 0.6 * long


def test_instructions_far_apart_reach_each_other_in_a_long_function(small_model):
    model = small_model(max_instructions=16_384)
    function = straight(3000)
    changed = straight(3000)
    changed.positions[10] = (10, 2900, 11)
    before, after = (
        model(collate([f], model.config)).embedding.detach() for f in (function, changed)
    )
    assert (before - after).abs().max() > 1e-6
    assert np.isfinite(before.numpy()).all()
