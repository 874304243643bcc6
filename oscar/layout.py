"""How the function level reads a batch: its lengths, positions and sequences."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from oscar.config import OscarConfig
from oscar.pce import table_rows
from oscar.sequences import FunctionSequences


@dataclass(frozen=True, slots=True)
class FunctionLayout:
    """B functions with n instructions in all, whatever stands at each instruction.

    Attributes:
        positions: (n, 3) rows of the position tables (`oscar.pce`) for the own, true and false
            position.
        lengths: (B,) instructions of each function.
        longest: the greatest of the lengths.
        sequences: how the function level reads the entries.
    """

    positions: Tensor
    lengths: Tensor
    longest: int
    sequences: FunctionSequences

    def __len__(self) -> int:
        return len(self.lengths)

    @classmethod
    def of(cls, positions: Sequence[NDArray[np.int32]], config: OscarConfig) -> "FunctionLayout":
        """Lay out functions.

        Args:
            positions: of each function, (instructions, 3) as in `EncodedFunction`.
            config: gives the streams and sequences to read.
        """
        lengths = np.array([len(function) for function in positions])
        rows = [table_rows(function, len(function)) for function in positions]
        return cls(
            torch.from_numpy(np.concatenate(rows)),
            torch.from_numpy(lengths),
            int(lengths.max()),
            FunctionSequences.of(lengths, len(config.reads), config.sequence == "joint"),
        )

    def to(self, device: torch.device | str) -> "FunctionLayout":
        """Copy to a device."""
        return FunctionLayout(
            self.positions.to(device),
            self.lengths.to(device),
            self.longest,
            self.sequences.to(device),
        )
