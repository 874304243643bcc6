import torch
from hypothesis import given
from hypothesis import strategies as st

from oscar.batching import Cuts, collate
from oscar.encoded import EncodedFunction
from oscar.pce import FIRST_INSTRUCTION, SPECIAL_ROWS
from static_analysis.flow.positions import CUT, RETURN, UNWIND

FIRST = FIRST_INSTRUCTION


def straight(n: int, tokens: int = 1) -> EncodedFunction:
    """n instructions in a line; instruction i has `tokens` ids, all 10 + i; entries have two."""
    return EncodedFunction(
        instruction=[[10 + i] * tokens for i in range(n)],
        environment=[[50 + i, 60 + i] for i in range(n)],
        positions=[*((i, i + 1, i + 1) for i in range(n - 1)), (n - 1, RETURN, RETURN)],
    )


def test_two_functions_worked_by_hand(small_config):
    batch = collate([straight(5), straight(2)], small_config(group_size=4))
    assert batch.instruction.tokens.tolist() == [[10, 11, 12, 13], [14, 0, 0, 0], [10, 11, 0, 0]]
    assert batch.instruction.slots.tolist() == [[0, 1, 2, 3], [0, -1, -1, -1], [0, 1, -1, -1]]
    assert batch.environment.tokens[1].tolist() == [54, 64, 0, 0, 0, 0, 0, 0]
    assert batch.environment.slots[2].tolist() == [0, 0, 1, 1, -1, -1, -1, -1]
    assert batch.rows.tolist() == [[0, 1, 2, 3, 4], [8, 9, 0, 0, 0]]
    assert batch.mask.tolist() == [[True] * 5, [True, True, False, False, False]]
    leave = SPECIAL_ROWS[RETURN]
    assert batch.positions[1, :2].tolist() == [
        [FIRST, FIRST + 1, FIRST + 1],
        [FIRST + 1, leave, leave],
    ]
    assert (batch.positions[1, 2:] == 0).all()
    assert batch.cuts == Cuts()


def test_cuts_are_counted_and_targets_beyond_them_marked(small_config):
    function = straight(6, tokens=3)
    function.positions[0] = (0, 5, 1)
    function.positions[1] = (1, UNWIND, 3)
    batch = collate([function, straight(2)], small_config(max_instructions=3, max_tokens=2))
    assert batch.cuts == Cuts(functions=1, instructions=3, tokens=3)
    cut, unwind = SPECIAL_ROWS[CUT], SPECIAL_ROWS[UNWIND]
    assert batch.positions[0].tolist() == [
        [FIRST, cut, FIRST + 1],
        [FIRST + 1, unwind, cut],
        [FIRST + 2, cut, cut],
    ]
    assert batch.instruction.tokens[0].tolist() == [10, 10, 11, 11, 12, 12]
    assert Cuts(1, 2, 3) + Cuts(0, 1, 0) == Cuts(1, 3, 3)


@given(lengths=st.lists(st.integers(1, 12), min_size=1, max_size=5), size=st.integers(1, 5))
def test_nothing_is_lost_and_rows_lead_to_each_instruction(small_config, lengths, size):
    functions = [straight(n, tokens=1 + n % 3) for n in lengths]
    batch = collate(functions, small_config(group_size=size))
    assert batch.cuts == Cuts()
    assert batch.instruction.tokens.shape[0] == batch.environment.tokens.shape[0]
    for row, function in enumerate(functions):
        assert batch.mask[row].sum() == len(function.positions)
        for stream, entries in [
            (batch.instruction, function.instruction),
            (batch.environment, function.environment),
        ]:
            for place, entry in enumerate(entries):
                group, slot = divmod(int(batch.rows[row, place]), size)
                chosen = stream.slots[group] == slot
                assert stream.tokens[group][chosen].tolist() == entry


def test_moving_to_a_device_keeps_everything(small_config):
    batch = collate([straight(5)], small_config()).to("meta")
    assert batch.rows.device == torch.device("meta")
    assert batch.environment.slots.device == torch.device("meta")
