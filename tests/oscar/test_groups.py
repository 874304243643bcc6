import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from oscar.encoded import Entries
from oscar.groups import group_entries, grouped

ENTRY = st.lists(st.integers(3, 5), max_size=3)
FUNCTIONS = st.lists(st.lists(ENTRY, min_size=1, max_size=9), min_size=1, max_size=6)


def group(functions, size):
    lengths = np.array([len(function) for function in functions])
    return group_entries([Entries.of(function) for function in functions], *grouped(lengths, size))


def test_two_functions_worked_by_hand():
    first = [[10, 11], [12], [13], [14]]
    stream = group([first, [[10, 11], [12], [13]]], 3)
    assert stream.count == 2  # the second function's only group is the first's first
    assert stream.tokens.tolist() == [10, 11, 12, 13, 14]
    assert stream.slots.tolist() == [0, 0, 1, 2, 0]
    assert stream.places.tolist() == [0, 1, 0, 0, 0]
    assert stream.sizes.tolist() == [2, 1, 1, 1, 0, 0]
    assert stream.entries.tolist() == [0, 1, 2, 3, 0, 1, 2]
    assert stream.rows.tolist() == [0, 1, 2, 3, 4, 0, 1, 2, 3]
    assert stream.owners.tolist() == [0, 0, 1, 2, 3, 4, 4, 5, 6]


def test_groups_of_the_same_tokens_in_other_entries_are_different():
    assert group([[[7, 8], [9]], [[7], [8, 9]], [[7, 8], [9]]], 4).count == 2


@given(functions=FUNCTIONS, size=st.integers(1, 5))
def test_nothing_is_lost_and_each_different_group_stands_once(functions, size):
    stream = group(functions, size)
    entries = [entry for function in functions for entry in function]
    assert stream.ids.tolist() == [token for entry in entries for token in entry]
    for owner, entry in enumerate(entries):
        rows = stream.rows[stream.owners == owner]
        assert stream.tokens[rows].tolist() == entry
        assert stream.places[rows].tolist() == list(range(len(entry)))
        assert stream.sizes[stream.entries[owner]] == len(entry)
    whole = [f + [[]] * (-len(f) % size) for f in functions]
    cut = [tuple(map(tuple, f[i : i + size])) for f in whole for i in range(0, len(f), size)]
    assert stream.count == len(set(cut))
    assert len(stream.tokens) == sum(len(entry) for part in set(cut) for entry in part)


@given(functions=FUNCTIONS, size=st.integers(1, 5))
def test_entries_of_a_group_are_consecutive_ones_of_one_function(functions, size):
    lengths = np.array([len(function) for function in functions])
    groups, slots = grouped(lengths, size)
    starts = np.cumsum(lengths) - lengths
    for start, length in zip(starts, lengths, strict=True):
        place = np.arange(length)
        assert (slots[start : start + length] == place % size).all()
        assert (groups[start : start + length] - groups[start] == place // size).all()
    assert (np.diff(groups[starts]) == -(-lengths // size)[:-1]).all()


def test_entries_without_tokens_have_their_place():
    stream = group([[[], [4], []]], 2)
    assert stream.entries.tolist() == [0, 1, 2]
    assert stream.sizes.tolist() == [0, 1, 0, 0]
    assert torch.equal(stream.owners, torch.tensor([1]))
