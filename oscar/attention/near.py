"""The near field: weights between blocks of queries and the blocks of keys around them.

A diagonal of blocks shares one Toeplitz tile of coefficients, so that it is a batch of small
products of matrices with one elementwise factor between them. A chunk of them is worked on at a
time, always in the same memory: fresh pages cost as much as the products.
"""

from collections.abc import Iterator
from itertools import product

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
        weight_bytes = self.size**2 * query.element_size()
        most = max(1, chunk_bytes(query.device) // weight_bytes)  # matrices of weights at a time
        self.most_blocks = max(1, most // self.heads)
        step = max(s for s in range(1, min(most, self.heads) + 1) if self.heads % s == 0)
        self.groups = [slice(first, first + step) for first in range(0, self.heads, step)]
        room = min(self.most_blocks, len(query)) * step
        self._weights, self._to_weights = query.new_empty(2, room, self.size, self.size)

    def add_sums(self, value: Tensor, sums: Tensor, totals: Tensor, blank: bool) -> None:
        """Add Σ_j a_ij v_j to `sums` and Σ_j a_ij to `totals`, a_ij = c_{j-i} φ(q_i)ᵀφ(k_j).

        Args:
            value: (blocks, heads, size, d).
            sums: (blocks, heads, size, d), changed in place.
            totals: (blocks, heads, size, 1), changed in place.
            blank: whether sums hold nothing yet, not even zeros.
        """
        for shift, heads in product(self.shifts, self.groups):
            keep = 0 if blank and shift == 0 else 1
            for here, there, tile in self._chunks(shift, heads):
                weights = self._weigh(flat(self.query[here]), flat(self.key[there]), tile)
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
        to_tile = DiagonalSums(self.groups[0].stop, self.size, self.query)
        for shift, heads in product(self.shifts, self.groups):
            keep = 0 if blank and shift == 0 else 1
            for here, there, tile in self._chunks(shift, heads):
                query, key = flat(self.query[here]), flat(self.key[there])
                weights = self._weigh(query, key, tile)
                flat(to_value[there]).baddbmm_(weights.mT, flat(to_sums[here]), beta=keep)
                to_weights = torch.baddbmm(
                    flat(to_totals[here]),
                    flat(to_sums[here]),
                    flat(value[there]).mT,
                    out=self._to_weights[: len(weights)],
                )
                to_tile.add_products(weights, to_weights)
                scale(to_weights, tile)
                flat(to_query[here]).baddbmm_(to_weights, key, beta=keep)
                flat(to_key[there]).baddbmm_(to_weights.mT, query, beta=keep)
            columns = self.coefficients.columns(shift, self.size)
            to_log_c[heads].index_add_(1, columns, to_tile.take())
        return to_log_c

    def _weigh(self, query: Tensor, key: Tensor, tile: Tensor) -> Tensor:
        """Give a_ij of a chunk, in memory that the next chunk writes over."""
        weights = torch.bmm(query, key.mT, out=self._weights[: len(query)])
        scale(weights, tile)
        return weights

    def _chunks(
        self, shift: int, heads: slice
    ) -> Iterator[tuple[tuple[slice, slice], tuple[slice, slice], Tensor]]:
        """Give some heads of some blocks, of those `shift` on, and the coefficients between them.

        All heads of several blocks or some heads of one: either is one batch of matrices.
        """
        tiles = self.coefficients.tiles(shift, self.size, heads)
        for here, there in self.blocks.pairs(shift, self.most_blocks):
            yield (here, heads), (there, heads), tiles(here)


def scale(weights: Tensor, tile: Tensor) -> None:
    """Multiply a chunk's matrices by their tiles, in place."""
    weights.view(-1, *tile.shape[-3:]).mul_(tile)


def flat(x: Tensor) -> Tensor:
    """Give (blocks, heads, …) as one batch of matrices; no copy, x is contiguous."""
    return x.view(-1, *x.shape[2:])
