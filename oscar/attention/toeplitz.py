"""The Toeplitz matrix of an attention layer: entry (i, j) depends on the offset j - i alone."""

import torch
from torch import Tensor


def extend(line: Tensor, n: int, causal: bool) -> Tensor:
    """Go on with the outermost of log c for -w … w up to the offsets -(n-1) … n-1.

    Args:
        line: (heads, 2w + 1), w < n.
        n: length of a sequence.
        causal: whether to put -inf for the offsets after zero.

    Returns:
        (heads, 2n - 1).
    """
    window = line.shape[1] // 2
    beyond = n - 1 - window
    whole = torch.cat([line[:, :1].expand(-1, beyond), line, line[:, -1:].expand(-1, beyond)], 1)
    if causal:
        whole = whole.masked_fill(torch.arange(1 - n, n, device=line.device) > 0, -torch.inf)
    return whole


def toeplitz_rows(values: Tensor, start: int, stop: int) -> Tensor:
    """Give rows `start` to `stop` of the n × n matrix whose entry (i, j) is the value of j - i.

    The rows are cut out of one repeated line by a reshape: its backward is a plain sum, where
    the backward of an index would be a slow scatter.

    Args:
        values: (heads, 2n - 1), for the offsets -(n-1) … n-1.
        start: first row.
        stop: row after the last.

    Returns:
        (heads, stop - start, n).
    """
    heads, offsets = values.shape
    n = (offsets + 1) // 2
    rows = stop - start
    line = torch.nn.functional.pad(values[:, n - stop : offsets - start], (0, 1))
    width = line.shape[1]
    repeated = line[:, None, :].expand(heads, rows, width).reshape(heads, rows * width)
    # A row one shorter than the line starts each next row one value earlier.
    skewed = repeated[:, rows - 1 : rows - 1 + rows * (width - 1)]
    return skewed.reshape(heads, rows, width - 1)[:, :, :n]


def toeplitz_matrix(values: Tensor) -> Tensor:
    """Give the n × n matrix whose entry (i, j) is the value of j - i, in one pass.

    Args:
        values: (heads, 2n - 1), for the offsets -(n-1) … n-1.

    Returns:
        (heads, n, n), without a gradient worth having: its backward is slow.
    """
    return values.unfold(1, (values.shape[1] + 1) // 2, 1).flip(1)


class DiagonalSums:
    """Sums along the diagonals of an n × n matrix: the transpose of `toeplitz_rows`.

    Attributes:
        matrix: (heads, n, n), zero at first, to add to. Its rows lie one place further left each
            than those of a plain matrix, so that a diagonal is a column of what lies beneath.
    """

    def __init__(self, heads: int, n: int, like: Tensor) -> None:
        self._skewed = like.new_zeros(heads, n, 2 * n)
        strides = (2 * n * n, 2 * n - 1, 1)
        self.matrix = self._skewed.as_strided((heads, n, n), strides, n - 1)

    def add_products(self, a: Tensor, b: Tensor) -> None:
        """Add a · b, element by element, for all of the matrices (blocks · heads, n, n)."""
        heads = len(self.matrix)
        for first, second in zip(a.split(heads), b.split(heads), strict=True):
            self.matrix.addcmul_(first, second)

    def take(self) -> Tensor:
        """Give the sums, (heads, 2n - 1), for the offsets -(n-1) … n-1, and begin at zero again."""
        sums = self._skewed.sum(1)[:, :-1]
        self._skewed.zero_()
        return sums
