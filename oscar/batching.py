"""Puts encoded functions of different lengths into the tensors the model reads.

Nothing is padded to a fixed length: K consecutive instructions make a group, groups are padded to
the longest group of the batch and functions to the longest function.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import torch
from torch import Tensor

from oscar.config import OscarConfig
from oscar.encoded import EncodedFunction
from oscar.pce import table_rows
from oscar.tokenizer import PAD


@dataclass(frozen=True, slots=True)
class StreamBatch:
    """The token groups of one stream.

    Attributes:
        tokens: token ids (groups, T), PAD where padded.
        slots: place (groups, T) in the group, 0 to K - 1, of each token's instruction; -1 where
            padded.
    """

    tokens: Tensor
    slots: Tensor

    def to(self, device: torch.device | str) -> "StreamBatch":
        """Copy to a device."""
        return StreamBatch(self.tokens.to(device), self.slots.to(device))


@dataclass(frozen=True, slots=True)
class Cuts:
    """What a batch left out.

    Attributes:
        functions: functions that lost an instruction.
        instructions: instructions beyond `max_instructions`.
        tokens: tokens beyond `max_tokens` of the instructions kept, both streams together.
    """

    functions: int = 0
    instructions: int = 0
    tokens: int = 0

    def __add__(self, other: "Cuts") -> "Cuts":
        return Cuts(
            self.functions + other.functions,
            self.instructions + other.instructions,
            self.tokens + other.tokens,
        )


@dataclass(frozen=True, slots=True)
class FunctionBatch:
    """B functions of at most L instructions.

    Attributes:
        instruction: groups of the instruction stream.
        environment: groups of the environment stream; group for group the same instructions.
        rows: (B, L) int64, K · group + slot of each instruction; 0 where padded.
        mask: (B, L) bool, True where there is an instruction.
        positions: (B, L, 3) int64, rows of the position tables (`oscar.pce`) for the own, true
            and false position.
        cuts: what was left out.
    """

    instruction: StreamBatch
    environment: StreamBatch
    rows: Tensor
    mask: Tensor
    positions: Tensor
    cuts: Cuts

    def to(self, device: torch.device | str) -> "FunctionBatch":
        """Copy to a device."""
        return FunctionBatch(
            self.instruction.to(device),
            self.environment.to(device),
            self.rows.to(device),
            self.mask.to(device),
            self.positions.to(device),
            self.cuts,
        )


def collate(functions: Sequence[EncodedFunction], config: OscarConfig) -> FunctionBatch:
    """Batch functions, cutting what is beyond `max_instructions` and `max_tokens`.

    Args:
        functions: at least one, each of at least one instruction.
        config: gives the group size and the limits.
    """
    kept = [min(len(function.positions), config.max_instructions) for function in functions]
    instruction, cut_instruction = _stream([f.instruction for f in functions], kept, config)
    environment, cut_environment = _stream([f.environment for f in functions], kept, config)
    lost = [len(f.positions) - n for f, n in zip(functions, kept, strict=True)]
    return FunctionBatch(
        instruction,
        environment,
        *_places(kept, config.group_size),
        _positions(functions, kept),
        Cuts(sum(n > 0 for n in lost), sum(lost), cut_instruction + cut_environment),
    )


def _stream(
    entries: list[list[list[int]]], kept: list[int], config: OscarConfig
) -> tuple[StreamBatch, int]:
    """Lay the entries of one stream out in groups; count the tokens cut from them."""
    size, limit = config.group_size, config.max_tokens
    groups = [
        function[start : min(start + size, n)]
        for function, n in zip(entries, kept, strict=True)
        for start in range(0, n, size)
    ]
    lengths = [[min(len(entry), limit) for entry in group] for group in groups]
    tokens = np.full((len(groups), max(map(sum, lengths), default=0)), PAD, dtype=np.int64)
    slots = np.full(tokens.shape, -1, dtype=np.int64)
    for row, (group, counts) in enumerate(zip(groups, lengths, strict=True)):
        stop = sum(counts)
        tokens[row, :stop] = list(chain.from_iterable(entry[:limit] for entry in group))
        slots[row, :stop] = np.repeat(np.arange(len(group)), counts)
    cut = sum(len(entry) for group in groups for entry in group) - sum(map(sum, lengths))
    return StreamBatch(torch.from_numpy(tokens), torch.from_numpy(slots)), cut


def _places(kept: list[int], group_size: int) -> tuple[Tensor, Tensor]:
    """Give `rows` and `mask` for functions of these lengths."""
    lengths = torch.tensor(kept)
    groups = -(-lengths // group_size)
    first_rows = (groups.cumsum(0) - groups) * group_size
    place = torch.arange(max(kept))
    mask = place < lengths[:, None]
    return (first_rows[:, None] + place) * mask, mask


def _positions(functions: Sequence[EncodedFunction], kept: list[int]) -> Tensor:
    """Give the table rows of all positions, zero where padded."""
    result = torch.zeros(len(functions), max(kept), 3, dtype=torch.int64)
    for row, (function, n) in enumerate(zip(functions, kept, strict=True)):
        codes = torch.tensor(function.positions[:n], dtype=torch.int64).reshape(n, 3)
        result[row, :n] = table_rows(codes, n)
    return result
