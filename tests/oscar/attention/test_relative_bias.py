import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from oscar.attention import ClippedBias, FreeBias, T5Bias
from oscar.attention.relative_bias import log_line
from static_analysis.errors import OscarError


def test_t5_buckets_worked_by_hand():
    rpe = T5Bias(1, buckets=32, max_distance=128)
    offsets = torch.tensor([0, -1, -7, -8, -11, -12, -127, -5000, 1, 7, 8, 5000])
    expected = [0, 1, 7, 8, 8, 9, 15, 15, 17, 23, 24, 31]
    assert rpe.columns(offsets).tolist() == expected


def test_causal_t5_spends_all_buckets_on_the_past():
    rpe = T5Bias(1, causal=True, buckets=32, max_distance=128)
    assert rpe.columns(torch.tensor([3, 0, -15, -16, -127])).tolist() == [0, 0, 15, 16, 31]


def test_clipped_columns():
    rpe = ClippedBias(1, window=2)
    assert rpe.columns(torch.tensor([-9, -2, -1, 0, 1, 2, 9])).tolist() == [0, 0, 1, 2, 3, 4, 4]


def test_free_columns_are_all_different_and_have_an_end():
    rpe = FreeBias(1, max_length=4)
    assert rpe.columns(torch.arange(-3, 4)).tolist() == list(range(7))
    with pytest.raises(OscarError, match="up to 4 long: build FreeBias with a greater max_length"):
        rpe.bias(torch.tensor([4]))


@settings(deadline=None)
@given(
    rpe=st.one_of(
        st.builds(ClippedBias, st.just(2), window=st.integers(0, 40)),
        st.builds(
            T5Bias,
            st.just(2),
            st.booleans(),
            buckets=st.sampled_from([8, 32, 64]),
            max_distance=st.integers(33, 300),
        ),
    )
)
def test_the_tail_is_where_the_bias_becomes_constant_and_no_sooner(rpe):
    columns = rpe.columns(torch.arange(-600, 601))
    past, future = columns[:601].flip(0), columns[600:]
    for side in (past, future):
        assert (side[rpe.tail :] == side[-1]).all()
    nearer = max(rpe.tail - 1, 0)
    assert rpe.tail == 0 or past[nearer] != past[-1] or future[nearer] != future[-1]


def test_a_free_bias_has_no_tail():
    assert FreeBias(1, max_length=4).tail is None


@pytest.mark.parametrize(("buckets", "max_distance"), [(2, 128), (32, 8)])
def test_t5_without_room_for_its_buckets_is_refused(buckets, max_distance):
    with pytest.raises(OscarError, match="t5 needs two buckets a side"):
        T5Bias(1, buckets=buckets, max_distance=max_distance)


def test_a_line_holds_what_is_not_constant_yet():
    rpe, like = ClippedBias(2, window=3), torch.zeros(1, dtype=torch.float64)
    assert torch.equal(log_line(rpe, 2, 9, like), rpe.table.double())
    assert torch.equal(log_line(rpe, 2, 2, like), rpe.table[:, 2:5].double())
    assert torch.equal(log_line(None, 2, 9, like), torch.zeros(2, 1, dtype=torch.float64))
