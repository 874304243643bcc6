"""The Toeplitz matrix of an attention layer: entry (i, j) depends on the offset j - i alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

if TYPE_CHECKING:  # relative_bias writes its matrix with the rows below
    from oscar.attention.relative_bias import RelativeBias


def log_coefficients(
    rpe: RelativeBias | None, heads: int, n: int, causal: bool, like: Tensor
) -> Tensor:
    """Give log c for the offsets -(n-1) … n-1, -inf for keys that a causal query may not see.

    Returns:
        (heads, 2n - 1), type and device of `like`.
    """
    offsets = torch.arange(1 - n, n, device=like.device)
    bias = like.new_zeros(heads, 2 * n - 1) if rpe is None else rpe.bias(offsets).to(like.dtype)
    return bias.masked_fill(offsets > 0, -torch.inf) if causal else bias


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


def normalise(sums: Tensor) -> Tensor:
    """Divide weighted sums of values by the sum of the weights, their last column.

    Where no key has any weight the sums are zero, and so is the result.
    """
    total = sums[..., -1:]
    return sums[..., :-1] / total.masked_fill(total == 0, 1)
