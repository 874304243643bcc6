"""The near field: weights between blocks of queries and the blocks of keys around them.

A diagonal of blocks shares one Toeplitz tile of coefficients, so that it is a batch of small
products of matrices with one elementwise factor between them.
"""

from collections.abc import Iterator

import torch
from torch import Tensor

from oscar.attention.blocks import Blocks, chunk_bytes
from oscar.attention.coefficients import Coefficients
from oscar.attention.toeplitz import diagonal_sums


class NearField:
    """Blocks of queries and keys up to `reach` blocks apart.

    Args:
        query: φ(q), (blocks, heads, size, m).
        key: φ(k), (blocks, heads, size, m), zero where padded.
        blocks: the cut.
        coefficients: c.
        reach: largest distance between two blocks.
    """

    def __init__(
        self, query: Tensor, key: Tensor, blocks: Blocks, coefficients: Coefficients, reach: int
    ) -> None:
        self.query, self.key = query, key
        self.blocks, self.coefficients = blocks, coefficients
        self.shifts = range(-reach, 1 if coefficients.causal else reach + 1)
        self.heads, self.size = query.shape[1:3]

    def add_sums(self, value: Tensor, sums: Tensor, totals: Tensor) -> None:
        """Add Σ_j a_ij v_j to `sums` and Σ_j a_ij to `totals`, a_ij = c_{j-i} φ(q_i)ᵀφ(k_j).

        Args:
            value: (blocks, heads, size, d).
            sums: (blocks, heads, size, d), changed in place.
            totals: (blocks, heads, size, 1), changed in place.
        """
        for shift in self.shifts:
            for here, there, tile in self._pairs(shift):
                weights = flat(self.query[here]) @ flat(self.key[there]).mT
                self._scale(weights, tile)
                flat(sums[here]).baddbmm_(weights, flat(value[there]))
                flat(totals[here]).add_(weights.sum(-1, keepdim=True))

    def add_gradients(
        self, value: Tensor, gradient: Tensor, to_query: Tensor, to_key: Tensor, to_value: Tensor
    ) -> Tensor:
        """Add what the near field has of the gradients to `to_query`, `to_key` and `to_value`.

        Args:
            value: (blocks, heads, size, d + 1), the last column all ones.
            gradient: of the sums and, in the last column, the totals: (blocks, heads, size, d + 1).
            to_query: (blocks, heads, size, m), changed in place, like the two that follow.
            to_key: (blocks, heads, size, m).
            to_value: (blocks, heads, size, d).

        Returns:
            the gradient of log c, (heads, 2w + 1).
        """
        to_log_c = torch.zeros_like(self.coefficients.log_c)
        to_sums = gradient[..., :-1].contiguous()
        for shift in self.shifts:
            to_tile = self.query.new_zeros(self.heads, self.size, self.size)
            for here, there, tile in self._pairs(shift):
                query, key = flat(self.query[here]), flat(self.key[there])
                weights = query @ key.mT
                to_weights = flat(gradient[here]) @ flat(value[there]).mT
                self._scale(weights, tile)
                to_tile += (weights * to_weights).view(-1, *to_tile.shape).sum(0)
                flat(to_value[there]).baddbmm_(weights.mT, flat(to_sums[here]))
                self._scale(to_weights, tile)
                flat(to_query[here]).baddbmm_(to_weights, key)
                flat(to_key[there]).baddbmm_(to_weights.mT, query)
            columns = self.coefficients.columns(shift, self.size)
            to_log_c.index_add_(1, columns, diagonal_sums(to_tile))
        return to_log_c

    def _pairs(self, shift: int) -> Iterator[tuple[slice, slice, Tensor]]:
        """Give slices of blocks, of those `shift` on, and the coefficients between them."""
        weight_bytes = self.heads * self.size**2 * self.query.element_size()
        most = max(1, chunk_bytes(self.query.device) // weight_bytes)
        tiles = self.coefficients.tiles(shift, self.size)
        for here, there in self.blocks.pairs(shift, most):
            yield here, there, tiles(here)

    def _scale(self, weights: Tensor, tile: Tensor) -> None:
        weights.view(-1, self.heads, self.size, self.size).mul_(tile)


def flat(x: Tensor) -> Tensor:
    """Give (blocks, heads, …) as one batch of matrices; no copy, x is contiguous."""
    return x.view(-1, *x.shape[2:])
