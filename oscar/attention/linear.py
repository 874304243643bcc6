"""Kernelised attention with equal coefficients: all keys as one sum of φ(k_j) v_jᵀ."""

import torch
from torch import Tensor

from oscar.attention.attended import Attended, divisor


def linear(query: Tensor, key: Tensor, value: Tensor) -> Attended:
    """Attend from any number of queries to any number of keys (Choromanski et al., section 2.1).

    Args:
        query: φ(q), (batch, heads, n, m).
        key: φ(k), (batch, heads, number of keys, m), zero where padded.
        value: (batch, heads, number of keys, d).
    """
    totals = query @ key.sum(-2, keepdim=True).mT
    result = (query @ (key.mT @ value)) / divisor(totals)
    return Attended(result, totals, torch.zeros_like(totals))
