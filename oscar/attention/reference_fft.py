"""Kernelised attention by fast Fourier transform, as Luo et al. (NeurIPS 2021) write it.

O(n log n) time, but the tensor of all products φ(k_j)ᵀ v_j is held at once: a reference to
compare with, not the algorithm to train with.
"""

import torch
from torch import Tensor

from oscar.attention.toeplitz import normalise


def reference_fft(query: Tensor, key: Tensor, value: Tensor, log_c: Tensor) -> Tensor:
    """Give the same z as `dense`, from Toeplitz products of φ(k_j)ᵀ v_j and φ(k_j).

    Arguments and result are those of `dense`.
    """
    coefficients = (log_c - log_c.detach().amax(-1, keepdim=True)).exp()
    sums = toeplitz_product(coefficients, key[..., :, None] * value[..., None, :])
    return normalise(torch.einsum("bhnm,bhnme->bhne", query, sums))


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
