"""What every feature map φ has: random directions, their seed, and when they are drawn afresh."""

import math
from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn

from oscar.attention.random_features import draw_directions
from static_analysis.errors import OscarError


def single_precision(x: Tensor) -> Tensor:
    """Widen half precision to float32 and leave float32 and float64 alone."""
    return x.float() if x.dtype in (torch.float16, torch.bfloat16) else x


class FeatureMap(nn.Module, ABC):
    """A map φ from (…, dim) to (…, n_features), with seeded random directions as a buffer.

    Args:
        dim: length of a query or key.
        n_features: m, the number of features.
        seed: chooses the random directions; the same seed gives the same map.
        directions: "orthogonal", "hadamard" or "independent", as `draw_directions` has them.
        norms: "chi" or "sqrt", lengths of the directions.
        redraw_every: training steps after which other directions are drawn; None keeps them.

    Raises:
        OscarError: there is no such kind of directions, or a number is out of range.
    """

    directions: Tensor
    steps: Tensor

    def __init__(
        self,
        dim: int,
        n_features: int,
        seed: int = 0,
        *,
        directions: str = "orthogonal",
        norms: str = "chi",
        redraw_every: int | None = None,
    ) -> None:
        super().__init__()
        for name, number in (("n_features", n_features), ("redraw_every", redraw_every)):
            if number is not None and number < 1:
                raise OscarError(f"{name} is {number}: it must be at least 1")
        self.dim = dim
        self.n_features = n_features
        self.seed = seed
        self.kind = directions
        self.norms = norms
        self.redraw_every = redraw_every
        self.register_buffer("directions", self._draw(seed))
        if redraw_every is not None:
            self.register_buffer("steps", torch.zeros((), dtype=torch.int64))

    def forward(self, x: Tensor, is_query: bool) -> Tensor:
        """Give φ(x) as the formula says, (…, n_features), in float32 or the wider type of x.

        All maps here treat queries and keys (`is_query` false) alike.
        """
        with torch.autocast(x.device.type, enabled=False):
            return self.features(self.prepare(single_precision(x)))

    def scaled(self, x: Tensor, is_query: bool, mask: Tensor | None = None) -> Tensor:
        """Give φ(x) up to factors that cancel in attention, so that no exponent overflows.

        The factor is one for each query, and one shared by all keys of a sequence and head;
        numerator and denominator of the attention have it in common.

        Args:
            x: (batch, heads, n, dim).
            is_query: whether x are queries.
            mask: (batch, n), True where real; padded keys have no say in the factor.
        """
        return self.forward(x, is_query)

    def redraw(self, seed: int) -> None:
        """Replace the directions by those of another seed."""
        # A new tensor: a backward pass that is still to come may need the old one.
        self.directions = self._draw(seed).to(self.directions)

    def step(self) -> None:
        """Count a training step, and draw other directions after every `redraw_every` of them.

        Attention layers call this at each forward pass in training. The count is part of the
        state, and the directions follow from it and the seed: resumed training sees the same.
        """
        if self.redraw_every is None or not self.training:
            return
        self.steps += 1
        draws, left = divmod(int(self.steps), self.redraw_every)
        if not left:
            # Odd and near 2³² over the golden ratio: nearby seeds of layers never meet.
            self.redraw((self.seed + draws * 2_654_435_769) % 2**32)

    def prepare(self, x: Tensor) -> Tensor:
        """Scale the input so that the inner product of two inputs is the softmax's logit."""
        return x / math.sqrt(math.sqrt(self.dim))

    def project(self, x: Tensor) -> Tensor:
        """Give ωᵀx for each direction ω."""
        return x @ self.directions.to(x.dtype).T

    @property
    def rows(self) -> int:
        """Number of directions."""
        return self.n_features

    @abstractmethod
    def features(self, x: Tensor) -> Tensor:
        """Give the features of prepared inputs."""

    def _draw(self, seed: int) -> Tensor:
        return draw_directions(self.rows, self.dim, seed, self.kind, self.norms)
