import torch
from hypothesis import given
from hypothesis import strategies as st

from oscar.attention.rpe import ClippedBias
from oscar.attention.toeplitz import DiagonalSums, log_coefficients, toeplitz_matrix, toeplitz_rows


@given(data=st.data(), n=st.integers(1, 9), heads=st.integers(1, 3))
def test_rows_hold_the_value_of_their_offset(data, n, heads):
    start = data.draw(st.integers(0, n - 1))
    stop = data.draw(st.integers(start + 1, n))
    values = torch.arange(heads * (2 * n - 1)).reshape(heads, -1)
    rows = toeplitz_rows(values, start, stop)
    assert rows.shape == (heads, stop - start, n)
    for i in range(start, stop):
        for j in range(n):
            assert torch.equal(rows[:, i - start, j], values[:, j - i + n - 1])


def test_causal_coefficients_vanish_ahead():
    like = torch.zeros(1, dtype=torch.float64)
    log_c = log_coefficients(ClippedBias(2, window=1), 2, 3, True, like)
    assert log_c.dtype == torch.float64
    assert log_c[:, :3].isfinite().all()
    assert (log_c[:, 3:] == -torch.inf).all()


def test_no_encoding_means_coefficients_of_one():
    assert torch.equal(log_coefficients(None, 2, 3, False, torch.zeros(1)), torch.zeros(2, 5))


@given(n=st.integers(1, 9), heads=st.integers(1, 3))
def test_diagonal_sums_are_the_transpose_of_the_rows(n, heads):
    generator = torch.Generator().manual_seed(n)
    values = torch.randn(heads, 2 * n - 1, generator=generator, dtype=torch.float64)
    matrix = torch.randn(heads, n, n, generator=generator, dtype=torch.float64)
    expected = (toeplitz_rows(values, 0, n) * matrix).sum()
    torch.testing.assert_close((toeplitz_matrix(values) * matrix).sum(), expected)
    diagonals = DiagonalSums(heads, n, matrix)
    diagonals.matrix.add_(matrix)
    torch.testing.assert_close((values * diagonals.take()).sum(), expected)
    assert not diagonals.take().any()
