"""Puts functions of different lengths into the tensors the model reads."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from oscar.config import OscarConfig
from oscar.encoded import EncodedFunction
from oscar.groups import StreamBatch, group_entries, grouped
from oscar.layout import FunctionLayout
from oscar.limits import Cuts, cut
from oscar.packing import Packing


@dataclass(frozen=True, slots=True)
class BatchStats:
    """How much of a batch is work.

    Attributes:
        instructions: instructions of all functions.
        tokens: tokens of the streams that are read, those of copies included.
        groups: their groups.
        duplicates: groups that are copies of others and are not encoded again.
        slots: slots in which attention runs, at the token and the function level.
        padding: slots among them that are empty.
    """

    instructions: int = 0
    tokens: int = 0
    groups: int = 0
    duplicates: int = 0
    slots: int = 0
    padding: int = 0

    def __add__(self, other: "BatchStats") -> "BatchStats":
        return BatchStats(*map(sum, zip(astuple(self), astuple(other), strict=True)))

    @property
    def padding_share(self) -> float:
        """Share of the slots that is empty."""
        return self.padding / max(1, self.slots)

    @property
    def duplicate_share(self) -> float:
        """Share of the groups that are copies."""
        return self.duplicates / max(1, self.groups)


@dataclass(frozen=True, slots=True)
class FunctionBatch:
    """B functions with n instructions in all.

    Attributes:
        instruction: groups of the instruction stream.
        environment: groups of the environment stream; group for group the same instructions.
        groups: (n,) group of each instruction, copies counted.
        layout: how the function level reads the functions.
        cuts: what was left out.
        stats: how much of it is work.
    """

    instruction: StreamBatch
    environment: StreamBatch
    groups: Tensor
    layout: FunctionLayout
    cuts: Cuts
    stats: BatchStats

    def __len__(self) -> int:
        return len(self.layout)

    def to(self, device: torch.device | str) -> "FunctionBatch":
        """Copy to a device."""
        return FunctionBatch(
            self.instruction.to(device),
            self.environment.to(device),
            self.groups.to(device),
            self.layout.to(device),
            self.cuts,
            self.stats,
        )


@dataclass(frozen=True, slots=True)
class EntryBatch:
    """B functions with n instructions in all, as a token level left them.

    Attributes:
        vectors: (n, S, H) of the entries of the S streams that are read.
        layout: how the function level reads the functions.
        stats: how much of it is work.
    """

    vectors: Tensor
    layout: FunctionLayout
    stats: BatchStats

    def __len__(self) -> int:
        return len(self.layout)

    def to(self, device: torch.device | str) -> "EntryBatch":
        """Copy to a device."""
        return EntryBatch(self.vectors.to(device), self.layout.to(device), self.stats)


def collate(functions: Sequence[EncodedFunction], config: OscarConfig) -> FunctionBatch:
    """Batch functions, cutting what is beyond the config's limits.

    Args:
        functions: at least one, each of at least one instruction.
        config: gives group size, limits, and the streams and sequences to read.
    """
    pairs = [cut(function, config) for function in functions]
    kept = [function for function, _ in pairs]
    lengths = np.array([len(function) for function in kept])
    groups, slots = grouped(lengths, config.group_size)
    streams = (
        group_entries([function.instruction for function in kept], groups, slots),
        group_entries([function.environment for function in kept], groups, slots),
    )
    read = [streams[stream] for stream in config.reads]
    layout = FunctionLayout.of([function.positions for function in kept], config)
    return FunctionBatch(
        *streams,
        torch.from_numpy(groups),
        layout,
        sum((cuts for _, cuts in pairs), Cuts()),
        _stats(read, layout, len(groups), int(groups[-1]) + 1),
    )


def collate_entries(
    functions: Sequence[tuple[NDArray[np.floating], NDArray[np.int32]]], config: OscarConfig
) -> EntryBatch:
    """Batch what a token level has made of functions.

    Args:
        functions: at least one: the vectors (instructions, S, H) of its entries, and its
            positions (instructions, 3).
        config: gives the streams and sequences to read.
    """
    vectors = np.concatenate([vectors for vectors, _ in functions]).astype(np.float32)
    layout = FunctionLayout.of([positions for _, positions in functions], config)
    stats = _stats([], layout, len(vectors), 0)
    return EntryBatch(torch.from_numpy(vectors), layout, stats)


def batches_by_budget(sizes: Sequence[int] | NDArray[np.int64], budget: int) -> list[range]:
    """Cut items into runs of consecutive ones whose sizes add up to no more than the budget.

    Each run is as long as it can be, and holds at least one item however large.
    """
    stops = np.cumsum(np.asarray(sizes, np.int64))
    runs, start, before = [], 0, 0
    while start < len(stops):
        stop = max(start + 1, int(np.searchsorted(stops, before + budget, side="right")))
        runs.append(range(start, stop))
        start, before = stop, int(stops[stop - 1])
    return runs


def _stats(
    streams: Sequence[StreamBatch], layout: FunctionLayout, instructions: int, groups: int
) -> BatchStats:
    packings: list[Packing] = [*(stream.packing for stream in streams), layout.sequences.packing]
    return BatchStats(
        instructions=instructions,
        tokens=sum(len(stream.rows) for stream in streams),
        groups=groups * len(streams),
        duplicates=sum(groups - stream.count for stream in streams),
        slots=sum(len(packing.rows) for packing in packings),
        padding=sum(len(packing.rows) - len(packing.places) for packing in packings),
    )
