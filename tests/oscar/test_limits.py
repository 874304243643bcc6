from dataclasses import replace

import pytest

from oscar.encoded import EncodedFunction
from oscar.limits import Cuts, cut


@pytest.fixture
def function():
    return EncodedFunction.of(
        [[1, 2, 3], [4], [5, 6], [7]],
        [[8], [9, 10, 11, 12], [], [13]],
        [(i, -1, 9) for i in range(4)],
    )


def test_without_limits_a_function_stays_as_it_is(function, small_config):
    assert cut(function, small_config(max_instructions=16_384)) == (function, Cuts())


def test_what_is_cut_is_counted(function, small_config):
    short, cuts = cut(function, small_config(max_instructions=3, max_tokens=2))
    assert short.instruction.lists() == [[1, 2], [4], [5, 6]]
    assert short.environment.lists() == [[8], [9, 10], []]
    assert short.positions.tolist() == function.positions[:3].tolist()
    assert cuts == Cuts(functions=1, instructions=1, tokens=3)


def test_cutting_twice_cuts_nothing_more(function, small_config):
    config = small_config(max_instructions=2, max_tokens=1)
    short, _ = cut(function, config)
    assert cut(short, config) == (short, Cuts())
    assert cut(short, replace(config, max_tokens=None)) == (short, Cuts())


def test_counts_add_up():
    assert Cuts(1, 2, 3) + Cuts(0, 1, 0) == Cuts(1, 3, 3)
