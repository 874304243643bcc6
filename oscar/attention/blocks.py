"""Sequences cut into blocks of one size, so that whole diagonals of blocks are one product.

Block p of every sequence is stored before block p + 1 of any, longest sequence first (as in
torch's PackedSequence): a block and the one `shift` places on are then two slices of the same
tensor for many blocks and sequences at once, whether or not the sequences are equally long.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate

import torch
from torch import Tensor

CACHED = 1 << 20  # bytes worked on at a time on a CPU, whose caches should hold them
LAUNCHED = 1 << 28  # and on other devices, which want much at a time


@dataclass(frozen=True)
class Blocks:
    """How sequences are cut.

    Args:
        lengths: tokens of each sequence, longest first.
        size: tokens of a block; the last block of a sequence is filled up with zeros.
    """

    lengths: tuple[int, ...]
    size: int

    @cached_property
    def counts(self) -> list[int]:
        """Give for each place p how many sequences have a block p."""
        places = range(0, max(self.lengths, default=0), self.size)
        return [sum(length > start for length in self.lengths) for start in places]

    @property
    def places(self) -> int:
        """Number of blocks of the longest sequence."""
        return len(self.counts)

    @cached_property
    def starts(self) -> list[int]:
        """Give for each place the first of its blocks, and at the end the number of all."""
        return [0, *accumulate(self.counts)]

    def pairs(self, shift: int, most: int) -> Iterator[tuple[slice, slice]]:
        """Give slices of blocks and of the blocks `shift` places on, at most `most` blocks each."""
        for here, there, count in self._runs(shift):
            for first in range(0, count, most):
                width = min(most, count - first)
                yield (
                    slice(here + first, here + first + width),
                    slice(there + first, there + first + width),
                )

    def _runs(self, shift: int) -> list[list[int]]:
        """Give (start, start of the blocks `shift` on, count), joined where they go on."""
        runs: list[list[int]] = []
        for place in range(max(0, -shift), self.places - max(0, shift)):
            count = self.counts[max(place, place + shift)]
            here, there = self.starts[place], self.starts[place + shift]
            if runs and runs[-1][0] + runs[-1][2] == here and runs[-1][1] + runs[-1][2] == there:
                runs[-1][2] += count
            else:
                runs.append([here, there, count])
        return runs

    def running(
        self, x: Tensor, gap: int, reverse: bool = False, decay: Tensor | None = None
    ) -> Tensor:
        """Sum for each block the x of all blocks `gap` or more places before it in its sequence.

        Args:
            x: (blocks, …).
            gap: at least 1.
            reverse: sum over the blocks after it instead; each sense is the other's transpose.
            decay: factor (heads, 1, 1) of a sum for each place farther; None for 1.
        """
        sums = torch.zeros_like(x)
        step = -1 if reverse else 1
        places = range(self.places)
        for place in places[::step][gap:]:
            count = self.counts[max(place, place - step * gap)]
            before, new = self.starts[place - step], self.starts[place - step * gap]
            here = self.starts[place]
            sum_before, added = sums[before : before + count], x[new : new + count]
            if decay is None:
                torch.add(sum_before, added, out=sums[here : here + count])
            else:
                torch.addcmul(added, sum_before, decay, out=sums[here : here + count])
        return sums

    def distances(self, device: torch.device) -> tuple[Tensor, Tensor]:
        """Give how many tokens lie before and after each token, (blocks, size) twice."""
        starts = [p * self.size for p, count in enumerate(self.counts) for _ in range(count)]
        lengths = [length for count in self.counts for length in self.lengths[:count]]
        slots = torch.arange(self.size, device=device)
        before = torch.tensor(starts, device=device)[:, None] + slots
        after = torch.tensor(lengths, device=device)[:, None] - 1 - before
        return before, after.clamp(min=0)


@lru_cache(maxsize=256)
def cut(lengths: tuple[int, ...], size: int) -> Blocks:
    """Give the cut, the same object for the same sequences."""
    return Blocks(lengths, size)


def to_blocks(x: Tensor, size: int) -> Tensor:
    """Give (batch, heads, n, m) as (blocks, heads, size, m)."""
    _, heads, n, width = x.shape
    if n % size:
        x = torch.nn.functional.pad(x, (0, 0, 0, -n % size))
    split = x.unflatten(2, (-1, size)).permute(2, 0, 1, 3, 4)
    blocks: Tensor = split.reshape(-1, heads, size, width).contiguous()
    return blocks


def from_blocks(x: Tensor, batch: int, n: int) -> Tensor:
    """Give (blocks, heads, size, m) as (batch, heads, n, m)."""
    places = -(-n // x.shape[2])  # said, for it cannot be told from no sequences
    split = x.unflatten(0, (places, batch)).permute(1, 2, 0, 3, 4)
    whole: Tensor = split.flatten(2, 3)
    return whole if whole.shape[2] == n else whole[:, :, :n]  # a slice of all costs its backward


def chunk_bytes(device: torch.device) -> int:
    """Give how large an intermediate tensor of a loop should be."""
    return CACHED if device.type == "cpu" else LAUNCHED
