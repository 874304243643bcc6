"""Relative positions in two dimensions, for the patches of a picture or the cells of a table.

With a gap of width - 1 empty places after each row of a grid, the offset between two cells on the
line of all rows tells both how many rows and how many columns lie between them. The bias of a
grid is then one of a line about twice as long: every algorithm for lines serves grids, and the
Fourier transform of that line does the work of the two-dimensional one of Luo et al. (NeurIPS
2021, section 3.2).
"""

import torch
from torch import Tensor
from torch.nn import functional as F

from oscar.attention.relative_bias import TableBias
from static_analysis.errors import OscarError


class GridBias(TableBias):
    """One bias for each number of rows and columns between two cells of a grid.

    Args:
        heads: number of attention heads.
        height: rows of the grid.
        width: cells of a row; a sequence holds height · width cells, row by row.
    """

    toeplitz = False

    def __init__(self, heads: int, height: int, width: int) -> None:
        super().__init__(heads, (2 * height - 1) * (2 * width - 1))
        self.height, self.width = height, width
        self.stride = 2 * width - 1

    def columns(self, offsets: Tensor) -> Tensor:
        """Give the column of offsets on the line of gapped rows, counted from the leftmost."""
        return offsets + self.table.shape[1] // 2

    def between(self, rows: Tensor, columns: Tensor) -> Tensor:
        """Give b for keys so many rows below and columns right of the query: (heads, …)."""
        return self.bias(rows * self.stride + columns)

    def matrix(self, n: int) -> Tensor:
        """Give b for all pairs of cells: (heads, n, n).

        Raises:
            OscarError: n is not the number of cells.
        """
        self.check(n)
        cells = torch.arange(n, device=self.table.device)
        places = cells // self.width * self.stride + cells % self.width
        return self.bias(places[None, :] - places[:, None])

    def spread(self, x: Tensor) -> Tensor:
        """Lay the cells of x (batch, heads, n, e) on the line, with zeros in its gaps.

        Raises:
            OscarError: n is not the number of cells.
        """
        self.check(x.shape[2])
        rows = x.unflatten(2, (self.height, self.width))
        gap = self.width - 1
        line: Tensor = F.pad(rows, (0, 0, 0, gap)).flatten(2, 3)
        return line[:, :, : line.shape[2] - gap]

    def collect(self, line: Tensor) -> Tensor:
        """Take the cells off the line again: the inverse of `spread`."""
        gapped = F.pad(line, (0, 0, 0, self.width - 1))
        rows: Tensor = gapped.unflatten(2, (self.height, self.stride))
        return rows[:, :, :, : self.width].flatten(2, 3)

    def check(self, n: int) -> None:
        """Refuse sequences that do not fill the grid."""
        if n != self.height * self.width:
            raise OscarError(
                f"{n} entries are no grid of {self.height} rows of {self.width}: build GridBias "
                "with the height and width of the input"
            )
