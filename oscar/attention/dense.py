"""Kernelised attention as the formula reads, a tile of query rows at a time: O(n²) time."""

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from oscar.attention.toeplitz import normalise, toeplitz_rows

TILE_ELEMENTS = 1 << 22  # weights held at a time: 16 MB in float32


def dense(query: Tensor, key: Tensor, value: Tensor, log_c: Tensor) -> Tensor:
    """Give z_i = Σ_j c_{j-i} φ(q_i)ᵀφ(k_j) v_j / Σ_j c_{j-i} φ(q_i)ᵀφ(k_j).

    Args:
        query: φ(q), (batch, heads, n, m).
        key: φ(k), (batch, heads, n, m), zero where padded.
        value: (batch, heads, n, d + 1), the last column all ones.
        log_c: (heads, 2n - 1), for the offsets -(n-1) … n-1.

    Returns:
        (batch, heads, n, d). No more than a tile of weights is alive at a time, in the backward
        pass too, where tiles are computed again.
    """
    batch, heads, n, _ = query.shape
    step = max(1, TILE_ELEMENTS // max(1, batch * heads * n))
    if step >= n:
        return _tile(query, key, value, log_c, 0)
    tiles = [
        checkpoint(
            _tile,
            query[:, :, start : start + step],
            key,
            value,
            log_c,
            start,
            use_reentrant=False,
            preserve_rng_state=False,
        )
        for start in range(0, n, step)
    ]
    return torch.cat(tiles, dim=2)


def _tile(query: Tensor, key: Tensor, value: Tensor, log_c: Tensor, start: int) -> Tensor:
    """Attend from the query rows that begin at `start`."""
    rows = toeplitz_rows(log_c, start, start + query.shape[2])
    # The largest coefficient of a row cancels; there is one, even for a causal row.
    coefficients = (rows - rows.detach().amax(-1, keepdim=True)).exp()
    return normalise((query @ key.mT * coefficients) @ value)
