"""A first entry that is no neighbour of any: biases of its own for the CLS row and column."""

import torch
from torch import Tensor, nn

from oscar.attention.relative_bias import INITIAL_DEVIATION, RelativeBias


class ClsBias(RelativeBias):
    """Relative positions among all entries but the first, which is CLS.

    A summary has no place in the sequence, so that a bias by its offset would make it depend on
    the length. Here CLS attends to all others with one bias, they to it with another, and it to
    itself with a third.

    Args:
        heads: number of attention heads.
        inner: relative positional encoding of the others, or None.
    """

    toeplitz = False

    def __init__(self, heads: int, inner: RelativeBias | None = None) -> None:
        super().__init__()
        self.inner = inner
        self.own = nn.Parameter(torch.empty(heads))
        self.from_cls = nn.Parameter(torch.empty(heads))
        self.to_cls = nn.Parameter(torch.empty(heads))
        for bias in (self.own, self.from_cls, self.to_cls):
            nn.init.normal_(bias, std=INITIAL_DEVIATION)

    def bias(self, offsets: Tensor) -> Tensor:
        """Give b for offsets between entries other than CLS."""
        if self.inner is None:
            return self.own.new_zeros(len(self.own), len(offsets))
        return self.inner.bias(offsets)

    def cls_row(self, n: int) -> Tensor:
        """Give b of CLS for all n entries, itself first: (heads, n)."""
        others = self.from_cls[:, None].expand(-1, n - 1)
        return torch.cat([self.own[:, None], others], dim=1)

    def matrix(self, n: int) -> Tensor:
        """Give b for all pairs of n entries, CLS first: (heads, n, n)."""
        heads, others = len(self.own), n - 1
        if self.inner is None or not others:
            among = self.own.new_zeros(heads, others, others)
        else:
            among = self.inner.matrix(others)
        column = self.to_cls[:, None, None].expand(-1, others, 1)
        return torch.cat([self.cls_row(n)[:, None], torch.cat([column, among], dim=2)], dim=1)
