"""Kernelised attention by fast Fourier transform, as Luo et al. (NeurIPS 2021) write it.

O(n log n) time, but the tensor of all products φ(k_j) v_jᵀ is held at once: a reference to
compare with, not the algorithm to train with.
"""

import torch
from torch import Tensor

from oscar.attention.attended import Attended, divisor
from oscar.attention.toeplitz import extend


def reference_fft(
    query: Tensor, key: Tensor, value: Tensor, log_c: Tensor, causal: bool
) -> Attended:
    """Attend by Toeplitz products of φ(k_j) v_jᵀ and φ(k_j).

    Arguments and result are those of `band`.
    """
    log_c = extend(log_c, query.shape[2], causal)
    level = log_c.detach().amax(-1, keepdim=True)
    with_ones = torch.nn.functional.pad(value, (0, 1), value=1)
    products = key[..., :, None] * with_ones[..., None, :]
    sums = torch.einsum(
        "bhnm,bhnme->bhne", query, toeplitz_product((log_c - level).exp(), products)
    )
    totals = sums[..., -1:]
    result = sums[..., :-1] / divisor(totals)
    return Attended(result, totals, level[..., None].expand_as(totals))


def toeplitz_product(coefficients: Tensor, x: Tensor) -> Tensor:
    """Give y_i = Σ_j c_{j-i} x_j along the third dimension.

    The Toeplitz matrix is the corner of a circulant one of size 2n - 1, whose product is a
    circular convolution: a product of spectra.

    Args:
        coefficients: (heads, 2n - 1), for the offsets -(n-1) … n-1.
        x: (batch, heads, n, m, e).
    """
    n = x.shape[2]
    size = 2 * n - 1
    # Column 0 of the circulant matrix: c at the offsets 0, -1, …, -(n-1), n-1, …, 1.
    column = coefficients.flip(-1).roll(1 - n, dims=-1)
    spectrum = torch.fft.rfft(column)[None, :, :, None, None]
    product: Tensor = torch.fft.irfft(spectrum * torch.fft.rfft(x, size, dim=2), size, dim=2)
    return product[:, :, :n]
