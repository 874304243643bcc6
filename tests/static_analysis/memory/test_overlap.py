import pytest
from hypothesis import given
from hypothesis import strategies as st

from static_analysis.memory.origins import ARGUMENT, LOCAL, UNKNOWN, Origin
from static_analysis.memory.overlap import ALL, BEYOND_INDEX, NONE, SOME, WITHIN, overlap

_SCALES = st.sampled_from([1, 4, 6, 8, 24])
_TERMS = st.lists(st.tuples(st.sampled_from("ij"), _SCALES), max_size=2).map(tuple)
_LOCATIONS = st.tuples(st.integers(-30, 30), _TERMS, st.integers(1, 9))


@given(read=_LOCATIONS, written=_LOCATIONS, crossed=st.sampled_from([WITHIN, BEYOND_INDEX]))
def test_overlaps_hold_for_all_values_of_the_indices(read, written, crossed):
    origin = Origin(LOCAL, 0, is_object=True)
    (offset, terms, size), (at, steps, length) = read, written
    found = overlap((origin, offset, terms, 0, size), (origin, at, steps, 0, length), crossed)
    later = range(-2, 3) if crossed else [None]  # other values the indices had before
    for i in range(-2, 3):
        for j in range(-2, 3):
            for other in later:
                here = offset + sum({"i": i, "j": j}[name] * scale for name, scale in terms)
                values = {"i": i, "j": j} if other is None else {"i": other, "j": -other}
                there = at + sum(values[name] * scale for name, scale in steps)
                meets = there < here + size and here < there + length
                covers = there <= here and here + size <= there + length
                assert found != NONE or not meets
                assert found != ALL or covers


@pytest.mark.parametrize(
    ("read", "written", "expected"),
    [
        ((0, (), 4), (0, (), 4), ALL),
        ((0, (), 4), (0, (), 8), ALL),
        ((0, (), 8), (4, (), 4), SOME),
        ((0, (), 4), (4, (), 4), NONE),
        ((0, (("i", 8),), 4), (4, (("i", 8),), 4), NONE),
        ((0, (("i", 8),), 4), (4, (("j", 8),), 4), NONE),  # other fields of an array's structs
        ((0, (("i", 8),), 4), (0, (("j", 8),), 4), SOME),
        ((0, (("i", 8),), 4), (8, (), 4), SOME),
        ((0, (("i", 8),), 4), (0, (), None), SOME),
    ],
)
def test_overlap_within_one_origin(read, written, expected):
    origin = Origin(UNKNOWN, 0)
    (offset, terms, size), (at, steps, length) = read, written
    found = overlap((origin, offset, terms, 0, size), (origin, at, steps, 0, length), WITHIN)
    assert found == expected


def test_what_does_not_fit_into_an_object_is_elsewhere():
    small = Origin(4, 0, is_object=True, size=4)
    pointer = Origin(ARGUMENT, 0)
    assert overlap((small, 0, (), 0, 4), (pointer, 0, (), 0, 8), WITHIN) == NONE
    assert overlap((pointer, 0, (), 0, 4), (small, 0, (), 0, 4), WITHIN) == SOME
    assert overlap((pointer, 0, (), 0, 8), (small, 0, (), 0, 4), WITHIN) == NONE


def test_a_write_of_a_whole_object_covers_whatever_is_read_in_it():
    array = Origin(LOCAL, 0, is_object=True, size=16)
    somewhere = (array, 0, (("i", 4),), 0, 4)
    assert overlap(somewhere, (array, 0, (), 0, 16), BEYOND_INDEX) == ALL
    assert overlap(somewhere, (array, 0, (), 0, 12), WITHIN) == SOME
    assert overlap(somewhere, (array, 0, (), 0, None), WITHIN) == SOME
