"""The order in which the function level reads the entries of both streams.

The paper puts one stream after the other. Interleaved, [CLS_i, CLS_s, inst_1, env_1, inst_2, …], an
instruction and its environment entry are always one step apart, whatever the length of the
function, so that one Toeplitz matrix of relative positions serves both streams.
"""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from oscar.packing import Packing, permute


@dataclass(frozen=True, slots=True)
class FunctionSequences:
    """The sequences of B functions with n instructions in all, of which S streams are read.

    Rows of its input are the CLS of each function and stream, (B, S), then the entries, (n, S).

    Attributes:
        order: (S·(B + n),) row of the input at each place of the sequences.
        places: (S·(B + n),) the inverse of `order`.
        packing: of the sequences.
    """

    order: Tensor
    places: Tensor
    packing: Packing

    @classmethod
    def of(cls, lengths: NDArray[np.int64], streams: int, joint: bool) -> "FunctionSequences":
        """Arrange functions of these lengths.

        Args:
            lengths: instructions of each function.
            streams: S.
            joint: whether a function's streams alternate in one sequence, or have one each.
        """
        number = np.arange(len(lengths))
        starts = np.repeat(lengths.cumsum() - lengths, lengths)
        function = np.concatenate([number, np.repeat(number, lengths)]).repeat(streams)
        place = np.concatenate([0 * number, 1 + np.arange(len(starts)) - starts]).repeat(streams)
        stream = np.tile(np.arange(streams), len(lengths) + len(starts))
        keys = (stream, place, function) if joint else (place, stream, function)
        order = np.lexsort(keys)
        sizes = streams * (1 + lengths) if joint else (1 + lengths).repeat(streams)
        inverse = torch.from_numpy(order.argsort())
        return cls(torch.from_numpy(order), inverse, Packing.of(sizes))

    def arrange(self, cls: Tensor, entries: Tensor) -> Tensor:
        """Give the rows (S·(B + n), …) of all sequences from (B, S, …) and (n, S, …)."""
        return permute(torch.cat([cls, entries]).flatten(0, 1), self.order, self.places)

    def separate(self, x: Tensor, functions: int, streams: int) -> tuple[Tensor, Tensor]:
        """Undo `arrange`: (B, S, …) and (n, S, …) from the rows of all sequences."""
        rows = permute(x, self.places, self.order).unflatten(0, (-1, streams))
        return rows[:functions], rows[functions:]

    def to(self, device: torch.device | str) -> "FunctionSequences":
        """Copy to a device."""
        packing = self.packing.to(device)
        return FunctionSequences(self.order.to(device), self.places.to(device), packing)
