"""Sequences of many lengths, one after the other in one tensor, and how attention reads them.

Whatever looks at one row at a time runs over the flat tensor, which holds no padding. Attention
looks at sequences: those of similar length are spread over the slots of one bucket, with as
little padding as the bounds below allow, and what it gives is collected from there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

BUCKET_SLOTS = 8192
"""Slots of a bucket of several sequences: its tensors stay in reach of the cache."""
PADDING_SHARE, PADDING_SLOTS = 1 / 16, 128
"""A bucket grows while this share of its slots or this many are empty: a call costs as much."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """Sequences that are attended to together.

    Attributes:
        count: sequences.
        width: rows of the longest.
        mask: (count, width) bool, True where there is a row; None if all are as long.
    """

    count: int
    width: int
    mask: Tensor | None


@dataclass(frozen=True, slots=True)
class Packing:
    """Where the rows of sequences stand in the slots of buckets.

    Attributes:
        buckets: at least one, so that attention has a part in every gradient.
        rows: (slots,) row of the flat tensor in each slot, any where the slot is empty.
        places: (rows,) slot of each row.
    """

    buckets: list[Bucket]
    rows: Tensor
    places: Tensor

    @classmethod
    def of(cls, lengths: Sequence[int] | NDArray[np.int64]) -> "Packing":
        """Pack sequences of these lengths, in this order in the flat tensor."""
        sizes = np.asarray(lengths, np.int64)
        order = sizes.argsort(kind="stable")
        starts = sizes.cumsum() - sizes
        buckets, rows, places = [], [], np.empty(sizes.sum(), np.int64)
        slots = 0
        for run in _runs(sizes[order]):
            chosen = order[run.start : run.stop]
            width = int(sizes[chosen].max(initial=1))
            real = np.arange(width) < sizes[chosen, None]
            standing = np.where(real, starts[chosen, None] + np.arange(width), 0)
            places[standing[real]] = slots + np.flatnonzero(real)
            slots += real.size
            rows.append(standing.ravel())
            mask = None if real.all() else torch.from_numpy(real)
            buckets.append(Bucket(len(chosen), width, mask))
        return cls(buckets, torch.from_numpy(np.concatenate(rows)), torch.from_numpy(places))

    def to(self, device: torch.device | str) -> "Packing":
        """Copy to a device."""
        buckets = [
            Bucket(b.count, b.width, None if b.mask is None else b.mask.to(device))
            for b in self.buckets
        ]
        return Packing(buckets, self.rows.to(device), self.places.to(device))

    def spread(self, x: Tensor) -> list[Tensor]:
        """Give the rows of x (rows, …) by bucket, (count, width, …), any where a slot is empty."""
        slots: Tensor = _Spread.apply(x, self.rows, self.places)
        sizes = [bucket.count * bucket.width for bucket in self.buckets]
        return [
            part.unflatten(0, (bucket.count, bucket.width))
            for part, bucket in zip(slots.split(sizes), self.buckets, strict=True)
        ]

    def collect(self, parts: Sequence[Tensor]) -> Tensor:
        """Give (rows, …) from what stands in the slots, (count, width, …) for each bucket."""
        collected: Tensor = _Collect.apply(torch.cat([x.flatten(0, 1) for x in parts]), self.places)
        return collected


def permute(x: Tensor, order: Tensor, places: Tensor) -> Tensor:
    """Give the rows of x (rows, …) in another order; row i comes from order[i], goes to places[i].

    Backward is as cheap as forward: it is told the inverse.
    """
    permuted: Tensor = _Spread.apply(x, order, places)
    return permuted


def _runs(lengths: NDArray[np.int64]) -> list[range]:
    """Cut ascending lengths into runs with bounded padding; those of length 0 are left out."""
    runs = []
    start = int(np.searchsorted(lengths, 1))
    while start < len(lengths):
        width, real = lengths[start:], lengths[start:].cumsum()
        slots = width * np.arange(1, len(width) + 1)
        fits = (slots - real <= np.maximum(PADDING_SLOTS, PADDING_SHARE * slots)) & (
            slots <= BUCKET_SLOTS
        )
        count = max(1, int(fits.argmin())) if not fits.all() else len(width)
        runs.append(range(start, start + count))
        start += count
    return runs or [range(0)]


class _Spread(torch.autograd.Function):
    """Rows in slots; what is asked of a slot goes back to its row, of an empty one nowhere."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, rows: Tensor, places: Tensor) -> Tensor:
        ctx.save_for_backward(places)
        return x.index_select(0, rows)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        (places,) = ctx.saved_tensors
        return grad.index_select(0, places), None, None


class _Collect(torch.autograd.Function):
    """Slots in rows; nothing is asked of an empty slot."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, places: Tensor) -> Tensor:
        ctx.save_for_backward(places)
        ctx.slots = len(x)
        return x.index_select(0, places)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        (places,) = ctx.saved_tensors
        slots = grad.new_zeros(ctx.slots, *grad.shape[1:])
        return slots.index_copy(0, places, grad), None
