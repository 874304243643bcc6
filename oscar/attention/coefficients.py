"""The coefficients c of blocks of a Toeplitz matrix, scaled so that none that matters underflows.

All weights of a query may be divided by a number of its own, its level: it cancels when their
sum is divided by their total.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from oscar.attention.blocks import Blocks
from oscar.attention.toeplitz import toeplitz_matrix

NEGLIGIBLE = 16.0  # in log: a level this far off costs float32 no accuracy


class Coefficients:
    """c_{j-i} over exp(level_i), where no level exceeds the greatest log c that query i sees.

    Args:
        log_c: (heads, 2w + 1), for the offsets -w … w; the outermost go on beyond.
        blocks: the cut.
        causal: whether c is zero for keys after the query.
    """

    def __init__(self, log_c: Tensor, blocks: Blocks, causal: bool) -> None:
        self.log_c, self.blocks, self.causal = log_c, blocks, causal
        self.window = log_c.shape[1] // 2
        self.levels = self._levels()

    @property
    def shared(self) -> bool:
        """Whether all queries of a head have one level."""
        return self.levels.shape[::2] == (1, 1)

    def columns(self, shift: int, size: int) -> Tensor:
        """Give the columns of log c for the offsets of blocks `shift` apart, (2 · size - 1)."""
        start = shift * size
        offsets = torch.arange(start - size + 1, start + size, device=self.log_c.device)
        return offsets.clamp(-self.window, self.window) + self.window

    def tiles(self, shift: int, size: int, heads: slice) -> Callable[[slice], Tensor]:
        """Give c between blocks of queries and the blocks of keys `shift` blocks on.

        Returns:
            a function of a slice of blocks: (heads, size, size), or (blocks, heads, size, size).
        """
        line = self.log_c[heads, self.columns(shift, size)]
        if self.causal and shift == 0:
            line[:, size:] = -torch.inf
        if self.shared:
            tile = toeplitz_matrix((line - self.levels[0, heads]).exp())
            return lambda _: tile
        log_tile = toeplitz_matrix(line)
        # Of what fills up a last block the coefficient may be above the level: cut, it is not used.
        return lambda here: _shrink(log_tile - self.levels[here, heads, :, None])

    def tails(self, reach: int) -> tuple[Tensor, Tensor, Tensor | None]:
        """Give c of all keys more than `reach` blocks before and after a block of queries.

        Returns:
            c before and after, (blocks or 1, heads, 1, 1), and None or the factor still to be
            put on their sum, (blocks, heads, size, 1). A block without keys on a side may have
            any finite number for that side.
        """
        before, after = self.log_c[:, 0], self.log_c[:, -1]
        if self.shared:
            level = self.levels[0, :, 0]
            return _column((before - level).exp()), _column((after - level).exp()), None
        far = (reach + 1) * self.blocks.size
        left, right = (d[:, :1] >= far for d in self.blocks.distances(self.log_c.device))
        right = right & (not self.causal)  # what is never seen has no say in the level
        level = torch.maximum(
            before.masked_fill(~left, -torch.inf), after.masked_fill(~right, -torch.inf)
        )
        factor = _shrink(level[..., None] - self.levels)[..., None]
        return _column(_shrink(before - level)), _column(_shrink(after - level)), factor

    def _levels(self) -> Tensor:
        """Give the greatest log c of each head, (1, heads, 1), or query, (blocks, heads, size)."""
        middle = self.window
        seen = self.log_c[:, : middle + 1] if self.causal else self.log_c
        greatest = seen.amax(1)
        if bool((greatest - self.log_c[:, middle]).max() <= NEGLIGIBLE):
            return greatest[None, :, None]
        before, after = self.blocks.distances(self.log_c.device)
        levels = _greatest_within(self.log_c[:, : middle + 1].flip(1), before)
        if not self.causal:
            levels = torch.maximum(levels, _greatest_within(self.log_c[:, middle:], after))
        return levels.transpose(0, 1)


def _greatest_within(side: Tensor, distances: Tensor) -> Tensor:
    """Give the greatest value of one side up to each distance, (heads, blocks, size)."""
    return side.cummax(1).values[:, distances.clamp(max=side.shape[1] - 1)]


def _shrink(exponent: Tensor) -> Tensor:
    """Give exp, at most 1."""
    return exponent.clamp(max=0).exp()


def _column(x: Tensor) -> Tensor:
    return x.reshape(-1, x.shape[-1], 1, 1)
