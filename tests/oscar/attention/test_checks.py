import pytest
import torch

from oscar.attention.checks import check_mask, check_shape, sequence_lengths
from static_analysis.errors import OscarError


@pytest.mark.parametrize(
    ("starts", "total", "lengths"),
    [([0, 5, 12], 12, [5, 7]), ([0, 0, 3, 3], 3, [3]), ([0], 0, []), ([0, 0], 0, [])],
)
@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_sequences_that_divide_the_rows_have_lengths(starts, total, lengths, dtype):
    assert sequence_lengths(torch.tensor(starts, dtype=dtype), total) == lengths


@pytest.mark.parametrize(
    "wrong",
    [
        torch.tensor([0, 5]),
        torch.tensor([0]),
        torch.tensor([], dtype=torch.int64),
        torch.tensor([0, 7, 5, 12]),
        torch.tensor([1, 12]),
        torch.tensor([0.0, 12.0]),
        torch.tensor([[0, 12]]),
        torch.tensor(12),
        [0, 12],
    ],
)
def test_sequences_that_do_not_divide_the_rows_are_refused(wrong):
    message = "cu_seqlens does not divide 12 rows: give a 1-D tensor of integers that .* with 12"
    with pytest.raises(OscarError, match=message):
        sequence_lengths(wrong, 12)


@pytest.mark.parametrize(
    "wrong", [torch.ones(2, 3), torch.ones(2, 3, dtype=torch.int64), torch.ones(3).bool()]
)
def test_a_mask_of_another_type_or_shape_is_refused(wrong):
    check_mask(torch.ones(2, 3, dtype=torch.bool), 2, 3)
    with pytest.raises(OscarError, match=r"the mask is torch.*: give torch.bool of shape \(2, 3\)"):
        check_mask(wrong, 2, 3)


@pytest.mark.parametrize("shape", [(3, 8), (2, 3, 7), (1, 2, 3, 8), ()])
def test_another_shape_is_refused(shape):
    check_shape("x", torch.ones(2, 3, 8), "batch", "n", 8)
    with pytest.raises(OscarError, match=r"x has the shape \(.*\): give it as \(batch, n, 8\)"):
        check_shape("x", torch.ones(shape), "batch", "n", 8)
