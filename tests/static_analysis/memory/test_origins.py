import pytest
from hypothesis import given
from hypothesis import strategies as st

from static_analysis.memory.origins import (
    ANYWHERE,
    ARGUMENT,
    ERRNO,
    EXTERNAL,
    GLOBAL,
    LOCAL,
    MEETS,
    NOTHING,
    UNKNOWN,
    Origin,
    visible_to_calls,
    wrapped,
)

KINDS = [LOCAL, ARGUMENT, GLOBAL, EXTERNAL, UNKNOWN]


@pytest.mark.parametrize("one", KINDS)
@pytest.mark.parametrize("other", KINDS)
def test_meeting_is_mutual(one, other):
    assert bool(MEETS[one] & other) == bool(MEETS[other] & one)


@pytest.mark.parametrize(
    ("one", "other", "meets"),
    [
        (LOCAL, ARGUMENT, False),  # what is made here no caller can have passed
        (LOCAL, UNKNOWN, True),
        (ARGUMENT, GLOBAL, True),
        (GLOBAL, EXTERNAL, False),
        (GLOBAL, GLOBAL, False),  # different origins are different variables
        (EXTERNAL, EXTERNAL, True),  # another unit may make two names one
    ],
)
def test_which_kinds_may_be_the_same_memory(one, other, meets):
    assert bool(MEETS[one] & other) == meets


@given(masks=st.tuples(*[st.integers(0, ERRNO - 1)] * 2))
def test_a_mask_meets_what_any_of_its_kinds_meets(masks):
    one, other = masks
    assert MEETS[one | other] == MEETS[one] | MEETS[other]


def test_an_object_is_shared_only_once_it_has_escaped():
    private = Origin(LOCAL, 0, is_object=True)
    assert (private.mask, private.objects) == (NOTHING, (private,))
    argument = Origin(ARGUMENT, 0)
    assert (argument.mask, argument.objects) == (ARGUMENT, ())


@pytest.mark.parametrize(
    ("kind", "size", "expected"),
    [
        (ARGUMENT, 4, ARGUMENT | ERRNO),
        (ARGUMENT, None, ARGUMENT | ERRNO),
        (ARGUMENT, 8, ARGUMENT),  # an int is not that large
        (GLOBAL, 4, GLOBAL),  # errno is no variable of this module
        (UNKNOWN, 1, UNKNOWN | ERRNO),
    ],
)
def test_kinds_a_call_must_write_to_be_seen(kind, size, expected):
    assert visible_to_calls(Origin(kind, 0), size) == expected
    assert expected & ANYWHERE == expected


@given(offset=st.integers(-(1 << 70), 1 << 70), bits=st.sampled_from([1, 16, 32, 64]))
def test_offsets_wrap_as_signed_numbers(offset, bits):
    found = wrapped(offset, bits)
    assert -(1 << (bits - 1)) <= found < 1 << (bits - 1)
    assert (found - offset) % (1 << bits) == 0
