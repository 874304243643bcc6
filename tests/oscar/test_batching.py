import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from oscar.batching import BatchStats, batches_by_budget, collate
from oscar.encoded import EncodedFunction
from oscar.limits import Cuts
from oscar.pce import FIRST_INSTRUCTION, SPECIAL_ROWS
from static_analysis.flow.positions import CUT, RETURN, UNWIND

FIRST = FIRST_INSTRUCTION


def straight(n: int, tokens: int = 1, first: int = 10) -> EncodedFunction:
    """n instructions in a line; instruction i has `tokens` ids, all first + i; entries have two."""
    return EncodedFunction.of(
        [[first + i] * tokens for i in range(n)],
        [[50 + i, 60 + i] for i in range(n)],
        [*((i, i + 1, i + 1) for i in range(n - 1)), (n - 1, RETURN, RETURN)],
    )


def test_two_functions_worked_by_hand(small_config):
    batch = collate([straight(5), straight(2)], small_config(group_size=4))
    assert batch.instruction.tokens.tolist() == [10, 11, 12, 13, 14, 10, 11]
    assert batch.environment.slots.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 0, 0, 1, 1]
    assert batch.groups.tolist() == [0, 0, 0, 0, 1, 2, 2]
    assert batch.layout.lengths.tolist() == [5, 2]
    assert (len(batch), batch.layout.longest) == (2, 5)
    leave = SPECIAL_ROWS[RETURN]
    assert batch.layout.positions[5:].tolist() == [
        [FIRST, FIRST + 1, FIRST + 1],
        [FIRST + 1, leave, leave],
    ]
    assert batch.cuts == Cuts()


def test_cuts_are_counted_and_targets_beyond_them_marked(small_config):
    function = straight(6, tokens=3)
    function.positions[:2] = [(0, 5, 1), (1, UNWIND, 3)]
    batch = collate([function, straight(2)], small_config(max_instructions=3, max_tokens=2))
    assert batch.cuts == Cuts(functions=1, instructions=3, tokens=3)
    cut, unwind = SPECIAL_ROWS[CUT], SPECIAL_ROWS[UNWIND]
    assert batch.layout.positions[:3].tolist() == [
        [FIRST, cut, FIRST + 1],
        [FIRST + 1, unwind, cut],
        [FIRST + 2, cut, cut],
    ]
    assert batch.instruction.ids.tolist() == [10, 10, 11, 11, 12, 12, 10, 11]


def test_what_is_work_and_what_is_not_is_counted(small_config):
    functions = [straight(5), straight(5, first=20), straight(5), straight(2)]
    stats = collate(functions, small_config(group_size=4)).stats
    # All environments are alike; of the instructions, those of the third function are copies.
    assert stats.groups, stats.duplicates == (14, 4 + 2)
    assert (stats.instructions, stats.tokens) == (17, 17 + 34)
    alone = collate(functions, small_config(group_size=4, streams="instructions")).stats
    assert (alone.groups, alone.duplicates, alone.tokens) == (7, 2, 17)
    # One bucket at each place: 5 groups of 4, 4, 1, 1 and 2; sequences of 6, 6, 6 and 3.
    assert (alone.slots, alone.padding) == (5 * 4 + 4 * 6, 20 - 12 + 24 - 21)
    assert alone.padding_share == alone.padding / alone.slots
    assert alone.duplicate_share == 2 / 7
    total = stats + alone
    assert (total.instructions, total.duplicates) == (34, stats.duplicates + 2)
    assert BatchStats().padding_share == BatchStats().duplicate_share == 0


def test_moving_to_a_device_keeps_everything(small_config):
    batch = collate([straight(5)], small_config()).to("meta")
    assert (
        batch.layout.positions.device == batch.layout.sequences.order.device == torch.device("meta")
    )
    assert batch.environment.packing.rows.device == torch.device("meta")
    assert batch.layout.lengths.device == torch.device("meta")


@given(
    sizes=st.lists(st.integers(1, 50), max_size=30),
    budget=st.integers(1, 120),
)
def test_runs_are_in_order_within_the_budget_and_as_long_as_can_be(sizes, budget):
    runs = batches_by_budget(sizes, budget)
    assert [i for run in runs for i in run] == list(range(len(sizes)))
    assert runs == batches_by_budget(np.array(sizes, np.int64), budget)
    for run in runs:
        total = sum(sizes[i] for i in run)
        assert total <= budget or len(run) == 1
        assert run.stop == len(sizes) or total + sizes[run.stop] > budget
