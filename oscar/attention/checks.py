"""Refuses inputs of the wrong kind or shape in one line, before torch does it in many."""

from itertools import pairwise

import torch
from torch import Tensor

from static_analysis.errors import OscarError


def check_shape(name: str, x: Tensor, *axes: str | int) -> None:
    """Accept x if it has these axes; those given as a number must be as long.

    Raises:
        OscarError: x has another shape; the message says which it should have.
    """
    lengths = [axis for axis in axes if isinstance(axis, int)]
    fits = x.dim() == len(axes) and list(x.shape[len(axes) - len(lengths) :]) == lengths
    if not fits:
        wanted = ", ".join(str(axis) for axis in axes)
        raise OscarError(f"{name} has the shape {tuple(x.shape)}: give it as ({wanted})")


def check_mask(mask: Tensor, batch: int, keys: int) -> None:
    """Accept a mask if it tells for each key whether it is real.

    Raises:
        OscarError: it is of another type than bool, or not (batch, keys).
    """
    if mask.dtype != torch.bool or mask.shape != (batch, keys):
        raise OscarError(
            f"the mask is {mask.dtype} of shape {tuple(mask.shape)}: give torch.bool of shape "
            f"({batch}, {keys}), True where real"
        )


@torch.compiler.disable  # it reads the values
def sequence_lengths(cu_seqlens: Tensor, total: int) -> list[int]:
    """Give the lengths of the sequences that packed rows hold, without those of length 0.

    Args:
        cu_seqlens: (sequences + 1,) integers: where each sequence starts, then the total.
        total: number of rows.

    Raises:
        OscarError: cu_seqlens does not divide the rows.
    """
    if _is_line_of_integers(cu_seqlens):
        starts = cu_seqlens.tolist()
        lengths = [stop - start for start, stop in pairwise(starts)]
        if starts and starts[0] == 0 and starts[-1] == total and min(lengths, default=0) >= 0:
            return [length for length in lengths if length]
    raise OscarError(
        f"cu_seqlens does not divide {total} rows: give a 1-D tensor of integers that starts "
        f"with 0, never falls and ends with {total}"
    )


def _is_line_of_integers(x: object) -> bool:
    if not isinstance(x, Tensor) or x.dim() != 1:
        return False
    return not (x.is_floating_point() or x.is_complex() or x.dtype == torch.bool)
