import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from oscar.attention.reference_fft import toeplitz_product
from oscar.attention.toeplitz import toeplitz_rows


@settings(deadline=None)
@given(n=st.integers(1, 17), heads=st.integers(1, 3), seed=st.integers(0, 9))
def test_product_by_spectra_is_the_product_with_the_matrix(n, heads, seed):
    generator = torch.Generator().manual_seed(seed)
    values = torch.randn(heads, 2 * n - 1, generator=generator, dtype=torch.float64)
    x = torch.randn(2, heads, n, 3, 2, generator=generator, dtype=torch.float64)
    matrix = toeplitz_rows(values, 0, n)
    expected = torch.einsum("hij,bhjme->bhime", matrix, x)
    torch.testing.assert_close(toeplitz_product(values, x), expected)
