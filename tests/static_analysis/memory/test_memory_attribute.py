import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from static_analysis.memory.memory_attribute import accesses_by_place, allowed_writes
from static_analysis.memory.origins import ANYWHERE, ERRNO, NOTHING

ACCESSES = ["none", "read", "write", "readwrite"]


@pytest.mark.parametrize(
    ("attribute", "expected"),
    [
        ("none", {"": "none"}),
        ("read", {"": "read"}),
        ("argmem : readwrite", {"argmem": "readwrite"}),
        ("read , inaccessiblemem : none", {"": "read", "inaccessiblemem": "none"}),
        ("argmem: read, errnomem: write", {"argmem": "read", "errnomem": "write"}),
    ],
)
def test_accesses_are_told_by_place(attribute, expected):
    assert accesses_by_place(attribute) == expected


@pytest.mark.parametrize(
    ("attribute", "kinds", "through_arguments"),
    [
        ("none", NOTHING, False),
        ("read", NOTHING, False),
        ("write", ANYWHERE, True),
        ("readwrite", ANYWHERE, True),
        ("argmem: readwrite", NOTHING, True),
        ("argmem: read", NOTHING, False),
        ("readwrite, argmem: read", ANYWHERE, False),
        ("read, argmem: write", NOTHING, True),
        ("errnomem: write", ERRNO, False),
        ("inaccessiblemem: readwrite", NOTHING, False),  # nothing the program itself can read
        ("readwrite, errnomem: none", ANYWHERE, True),
    ],
)
def test_what_one_attribute_lets_a_call_write(attribute, kinds, through_arguments):
    assert allowed_writes([{"memory": attribute}]) == (kinds, through_arguments)


def test_without_an_attribute_everything_may_be_written():
    assert allowed_writes([]) == allowed_writes([{"nounwind": ""}]) == (ANYWHERE, True)


@given(st.lists(st.sampled_from([*ACCESSES, *(f"argmem: {one}" for one in ACCESSES)]), max_size=3))
def test_groups_hold_together_in_any_order(attributes):
    groups = [{"memory": attribute} for attribute in attributes]
    kinds, through = allowed_writes(groups)
    for order in itertools.permutations(groups):
        assert allowed_writes(order) == (kinds, through)
    for group in groups:
        alone = allowed_writes([group])
        assert kinds & ~alone[0] == NOTHING
        assert alone[1] or not through
