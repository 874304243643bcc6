"""Kernelised attention as the formula reads, a tile of query rows at a time: O(n²) time."""

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from oscar.attention.toeplitz import normalise, toeplitz_rows

TILE_ELEMENTS = 1 << 22  # weights held at a time: 16 MB in float32


def dense(query: Tensor, key: Tensor, value: Tensor, log_c: Tensor, mask: Tensor | None) -> Tensor:
    """Give z_i = Σ_j c_{j-i} φ(q_i)ᵀφ(k_j) v_j / Σ_j c_{j-i} φ(q_i)ᵀφ(k_j).

    Args:
        query: φ(q), (batch, heads, n, m).
        key: φ(k), (batch, heads, n, m), zero where padded.
        value: (batch, heads, n, d).
        log_c: (heads, 2n - 1), for the offsets -(n-1) … n-1.
        mask: (batch, n), True where real, or None.

    Returns:
        (batch, heads, n, d). No more than a tile of weights is alive at a time, in the backward
        pass too, where tiles are computed again.
    """
    batch, heads, n, _ = query.shape
    step = max(1, TILE_ELEMENTS // (batch * heads * n))
    if step >= n:
        return _tile(query, key, value, log_c, mask, 0)
    tiles = [
        checkpoint(
            _tile,
            query[:, :, start : start + step],
            key,
            value,
            log_c,
            mask,
            start,
            use_reentrant=False,
            preserve_rng_state=False,
        )
        for start in range(0, n, step)
    ]
    return torch.cat(tiles, dim=2)


def _tile(
    query: Tensor, key: Tensor, value: Tensor, log_c: Tensor, mask: Tensor | None, start: int
) -> Tensor:
    """Attend from the query rows that begin at `start`."""
    rows = toeplitz_rows(log_c, start, start + query.shape[2])
    weights = (query @ key.mT) * _coefficients(rows, mask)
    return normalise(weights @ value, weights.sum(-1, keepdim=True))


def _coefficients(log_c: Tensor, mask: Tensor | None) -> Tensor:
    """Give c over its largest value in each row, which cancels; zero for padded keys."""
    if mask is not None:
        log_c = log_c.masked_fill(~mask[:, None, None, :], -torch.inf)
    largest = log_c.detach().amax(-1, keepdim=True)
    return (log_c - largest.masked_fill(largest == -torch.inf, 0)).exp()
