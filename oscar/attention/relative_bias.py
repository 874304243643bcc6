"""Relative positional encodings: a bias b for each head and offset j - i, and learned tables of it.

Softmax attention adds b to its logits; kernelised attention multiplies its weights by the
Toeplitz coefficients c = exp(b).
"""

from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn

from oscar.attention.toeplitz import toeplitz_rows
from static_analysis.errors import OscarError

INITIAL_DEVIATION = 0.02


class RelativeBias(nn.Module, ABC):
    """A rule that gives the bias of an offset, for each head.

    Attributes:
        tail: the distance from which the bias is constant on each side: every offset ≥ tail has
            the bias of tail, every offset ≤ -tail that of -tail. None if there is no such distance.
        toeplitz: whether the matrix of biases depends on the offset j - i alone.
    """

    tail: int | None = None
    toeplitz = True

    @abstractmethod
    def bias(self, offsets: Tensor) -> Tensor:
        """Give b for integer offsets j - i (query i, key j): (heads, len(offsets))."""

    @property
    def decay(self) -> Tensor | None:
        """The rates s (heads,) of a bias that is exactly -s·|offset|; None for all others."""
        return None

    def matrix(self, n: int) -> Tensor:
        """Give b for all pairs of n places: (heads, n, n), row i for query i."""
        device = next(self.parameters()).device
        return toeplitz_rows(self.bias(torch.arange(1 - n, n, device=device)), 0, n)


class TableBias(RelativeBias):
    """A learned table, one row a head, and the rule that finds an offset's column.

    Args:
        heads: number of attention heads.
        columns: number of different biases of a head.
    """

    def __init__(self, heads: int, columns: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.empty(heads, columns))
        nn.init.normal_(self.table, std=INITIAL_DEVIATION)

    def bias(self, offsets: Tensor) -> Tensor:
        """Give the entries of the offsets' columns."""
        return self.table[:, self.columns(offsets)]

    @abstractmethod
    def columns(self, offsets: Tensor) -> Tensor:
        """Give the column of the table for each offset."""


class T5Bias(TableBias):
    """Buckets that grow with the distance (Raffel et al., JMLR 2020, section 2.1).

    The first half of a side's buckets hold one distance each, the rest grow by a constant ratio up
    to `max_distance`; everything farther shares the last one. Keys before and after the query
    have buckets of their own, unless the attention is causal and never looks ahead.

    Args:
        heads: number of attention heads.
        causal: whether no query looks ahead.
        buckets: biases of a head.
        max_distance: from here on all distances share the last bucket, and some before it do.

    Raises:
        OscarError: there are too few buckets, or more than distances.
    """

    def __init__(
        self, heads: int, causal: bool = False, buckets: int = 32, max_distance: int = 128
    ) -> None:
        super().__init__(heads, buckets)
        self.causal = causal
        self.side = buckets if causal else buckets // 2
        if self.side < 2 or max_distance <= self.side // 2:
            raise OscarError(
                f"{buckets} buckets up to distance {max_distance}: t5 needs two buckets a side, "
                "and a greater distance than half of them"
            )
        self.max_distance = max_distance
        nearer = self._bucket(torch.arange(max_distance)) < self.side - 1
        self.tail = int(nearer.sum())

    def columns(self, offsets: Tensor) -> Tensor:
        """Give the bucket of each offset."""
        if self.causal:
            return self._bucket((-offsets).clamp(min=0))
        return self._bucket(offsets.abs()) + self.side * (offsets > 0)

    def _bucket(self, distance: Tensor) -> Tensor:
        exact = self.side // 2
        growth = torch.log(distance.clamp(min=1).double() / exact)
        span = torch.log(torch.tensor(self.max_distance / exact, dtype=torch.float64))
        far = exact + (growth / span.to(growth.device) * (self.side - exact)).long()
        return torch.where(distance < exact, distance, far.clamp(max=self.side - 1))


class ClippedBias(TableBias):
    """One bias an offset up to `window` either way, the outermost for all beyond.

    Shaw et al., NAACL 2018, section 3.2.
    """

    def __init__(self, heads: int, window: int = 64) -> None:
        super().__init__(heads, 2 * window + 1)
        self.window = window
        self.tail = window

    def columns(self, offsets: Tensor) -> Tensor:
        """Give the clipped offset, counted from the leftmost."""
        return offsets.clamp(-self.window, self.window) + self.window


class FreeBias(TableBias):
    """One bias for every offset of sequences up to `max_length` long, and none longer."""

    def __init__(self, heads: int, max_length: int = 1024) -> None:
        super().__init__(heads, 2 * max_length - 1)
        self.max_length = max_length

    def columns(self, offsets: Tensor) -> Tensor:
        """Give the offset counted from the leftmost.

        Raises:
            OscarError: an offset is out of the table.
        """
        # A compiled graph cannot branch on values; there, torch refuses the index.
        checked = offsets.numel() and not torch.compiler.is_compiling()
        if checked and int(offsets.abs().max()) >= self.max_length:
            raise OscarError(
                f"the free relative positions hold sequences up to {self.max_length} long: "
                "build FreeBias with a greater max_length, or use t5 or clipped"
            )
        return offsets + self.max_length - 1


def log_line(rpe: RelativeBias | None, heads: int, n: int, like: Tensor) -> Tensor:
    """Give log c = b for the offsets -w … w beyond which it is constant in sequences of length n.

    Returns:
        (heads, 2w + 1), w < n, type and device of `like`; one zero a head without an encoding.
    """
    if rpe is None:
        return like.new_zeros(heads, 1)
    window = n - 1 if rpe.tail is None else min(rpe.tail, n - 1)
    return rpe.bias(torch.arange(-window, window + 1, device=like.device)).to(like.dtype)
