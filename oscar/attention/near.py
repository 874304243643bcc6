"""The near field: weights between blocks of queries and the blocks of keys around them.

A diagonal of blocks shares one Toeplitz tile of coefficients, so that it is a batch of small
products of matrices with one elementwise factor between them.
"""

from collections.abc import Iterator

import torch
from torch import Tensor

from oscar.attention.blocks import Blocks, chunk_bytes
from oscar.attention.coefficients import Coefficients
from oscar.attention.toeplitz import DiagonalSums


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
        ahead = [] if coefficients.causal else range(1, reach + 1)
        self.shifts = [0, *range(-reach, 0), *ahead]  # 0 comes first: it touches all blocks
        self.heads, self.size = query.shape[1:3]

    def add_sums(self, value: Tensor, sums: Tensor, totals: Tensor, blank: bool) -> None:
        """Add Σ_j a_ij v_j to `sums` and Σ_j a_ij to `totals`, a_ij = c_{j-i} φ(q_i)ᵀφ(k_j).

        Args:
            value: (blocks, heads, size, d).
            sums: (blocks, heads, size, d), changed in place.
            totals: (blocks, heads, size, 1), changed in place.
            blank: whether sums hold nothing yet, not even zeros.
        """
        for shift in self.shifts:
            keep = 0 if blank and shift == 0 else 1
            for here, there, tile in self._pairs(shift):
                weights = flat(self.query[here]) @ flat(self.key[there]).mT
                self._scale(weights, tile)
                flat(sums[here]).baddbmm_(weights, flat(value[there]), beta=keep)
                flat(totals[here]).add_(weights.sum(-1, keepdim=True))

    def add_gradients(
        self,
        value: Tensor,
        to_sums: Tensor,
        to_totals: Tensor,
        gradients: tuple[Tensor, Tensor, Tensor],
        blank: bool,
    ) -> Tensor:
        """Add what the near field has of the gradients of query, key and value.

        Args:
            value: (blocks, heads, size, d).
            to_sums: gradient of the sums, (blocks, heads, size, d).
            to_totals: gradient of the totals, (blocks, heads, size, 1).
            gradients: of query, key and value, each shaped as they are, changed in place.
            blank: whether the gradients hold nothing yet, not even zeros.

        Returns:
            the gradient of log c, (heads, 2w + 1).
        """
        to_query, to_key, to_value = gradients
        to_log_c = torch.zeros_like(self.coefficients.log_c)
        for shift in self.shifts:
            keep = 0 if blank and shift == 0 else 1
            to_tile = DiagonalSums(self.heads, self.size, self.query)
            for here, there, tile in self._pairs(shift):
                query, key = flat(self.query[here]), flat(self.key[there])
                weights = query @ key.mT
                self._scale(weights, tile)
                flat(to_value[there]).baddbmm_(weights.mT, flat(to_sums[here]), beta=keep)
                to_weights = torch.baddbmm(
                    flat(to_totals[here]), flat(to_sums[here]), flat(value[there]).mT
                )
                self._add_products(to_tile.matrix, weights, to_weights)
                self._scale(to_weights, tile)
                flat(to_query[here]).baddbmm_(to_weights, key, beta=keep)
                flat(to_key[there]).baddbmm_(to_weights.mT, query, beta=keep)
            columns = self.coefficients.columns(shift, self.size)
            to_log_c.index_add_(1, columns, to_tile.sums())
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

    def _add_products(self, sums: Tensor, a: Tensor, b: Tensor) -> None:
        """Add a · b, element by element, over all blocks."""
        for first, second in zip(a.split(self.heads), b.split(self.heads), strict=True):
            sums.addcmul_(first, second)


def flat(x: Tensor) -> Tensor:
    """Give (blocks, heads, …) as one batch of matrices; no copy, x is contiguous."""
    return x.view(-1, *x.shape[2:])
