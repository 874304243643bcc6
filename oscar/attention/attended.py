"""What an algorithm gives: the attention's result, and how much weight stands behind it."""

from typing import NamedTuple

import torch
from torch import Tensor


class Attended(NamedTuple):
    """A weighted mean of values for each query, and the sum of its weights.

    Attributes:
        result: z_i = Σ_j a_ij v_j / Σ_j a_ij with a_ij = c_{j-i} φ(q_i)ᵀφ(k_j), zero where no key
            has any weight; (batch, heads, n, d).
        totals: Σ_j a_ij / exp(level_i), (batch, heads, n, 1).
        levels: constants that keep the totals within a float's range, (batch, heads, n, 1).
    """

    result: Tensor
    totals: Tensor
    levels: Tensor


def divisor(totals: Tensor) -> Tensor:
    """Give what to divide sums by: the totals, or infinity where no key has any weight.

    A total next to the smallest float counts as none: it has no digits left, and its inverse
    would overflow in the backward pass.
    """
    return totals.masked_fill(totals.abs() < 1e6 * torch.finfo(totals.dtype).tiny, torch.inf)


def with_ones(value: Tensor) -> Tensor:
    """Give the values with a last column of ones, whose weighted sum is the total weight."""
    return torch.nn.functional.pad(value, (0, 1), value=1)
