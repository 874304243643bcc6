import torch
from hypothesis import given
from hypothesis import strategies as st

from oscar.attention.toeplitz import DiagonalSums, extend, toeplitz_matrix, toeplitz_rows


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


def test_a_line_goes_on_with_its_outermost_and_causal_ones_vanish_ahead():
    line = torch.tensor([[1.0, 2.0, 3.0]], dtype=torch.float64)
    assert extend(line, 4, False).tolist() == [[1, 1, 1, 2, 3, 3, 3]]
    assert extend(line, 4, True).tolist() == [[1, 1, 1, 2, *[-torch.inf] * 3]]
    assert extend(line, 4, True).dtype == torch.float64


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
