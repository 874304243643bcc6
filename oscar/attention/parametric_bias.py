"""Relative positional encodings by a formula with a few learned numbers a head: any length.

They see the distance |j - i| alone, so that a layer without other positions cannot tell left from
right unless it is causal, as those of the papers are.
"""

from abc import abstractmethod

import torch
from torch import Tensor, nn

from oscar.attention.relative_bias import RelativeBias


def geometric_slopes(heads: int) -> Tensor:
    """Give 2^(-8h/heads) for h = 1 … heads, the slopes of ALiBi for a power of two heads."""
    return 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)


class DistanceBias(RelativeBias):
    """A bias that falls with the distance |j - i|."""

    def bias(self, offsets: Tensor) -> Tensor:
        """Give the bias of each offset's distance."""
        return self.of_distance(offsets.abs())

    @abstractmethod
    def of_distance(self, distances: Tensor) -> Tensor:
        """Give b for distances ≥ 0: (heads, len(distances))."""


class AlibiBias(DistanceBias):
    """ALiBi: b = -s·|j - i| with a rate s > 0 a head (Press et al., ICLR 2022, section 3).

    The rates begin as the paper's slopes and are learned; the paper keeps them, as
    `requires_grad_(False)` does.
    """

    def __init__(self, heads: int) -> None:
        super().__init__()
        self.log_rates = nn.Parameter(geometric_slopes(heads).log())

    @property
    def decay(self) -> Tensor:
        """The rates s."""
        return self.log_rates.exp()

    def of_distance(self, distances: Tensor) -> Tensor:
        """Give -s·distance."""
        return -self.decay[:, None] * distances


class KerpleLogBias(DistanceBias):
    """KERPLE, logarithmic: b = -r₁ log(1 + r₂|j - i|) with r₁, r₂ > 0 a head.

    Chi et al., NeurIPS 2022, section 4. The heads begin with r₁ = 1 and reach out differently.
    """

    def __init__(self, heads: int) -> None:
        super().__init__()
        self.log_scale = nn.Parameter(torch.zeros(heads))
        self.log_rates = nn.Parameter(geometric_slopes(heads).log())

    def of_distance(self, distances: Tensor) -> Tensor:
        """Give -r₁ log(1 + r₂ distance)."""
        scale, rates = self.log_scale.exp()[:, None], self.log_rates.exp()[:, None]
        return -scale * torch.log1p(rates * distances)


class KerplePowerBias(DistanceBias):
    """KERPLE, power: b = -r₁ |j - i|^r₂ with r₁ > 0 and 0 < r₂ < 2 a head.

    Chi et al., NeurIPS 2022, section 4. It begins as ALiBi does: r₂ = 1.
    """

    def __init__(self, heads: int) -> None:
        super().__init__()
        self.log_rates = nn.Parameter(geometric_slopes(heads).log())
        self.logit_power = nn.Parameter(torch.zeros(heads))  # r₂ = 2 · sigmoid of it

    def of_distance(self, distances: Tensor) -> Tensor:
        """Give -r₁ distance^r₂."""
        rates, power = self.log_rates.exp()[:, None], 2 * self.logit_power.sigmoid()[:, None]
        return -rates * distances**power
