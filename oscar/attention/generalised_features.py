"""Feature maps φ(x) = (f(ωᵀx) + ε) / √m: kernels of their own, in place of the softmax's.

Choromanski et al., ICLR 2021, section 2.2, "generalised attention". All f here are at least 0, so
that ε keeps every weight positive and no denominator comes near zero.
"""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from oscar.attention.feature_map import FeatureMap, single_precision

FLOOR = 1e-3  # ε
GELU_MINIMUM = 0.16997121  # -x·Φ(x) at x = -0.7518, rounded up


class GeneralisedFeatures(FeatureMap):
    """Features by any function f of the projections.

    Args:
        function: f, elementwise; with a negative f weights can be negative.
        dim: length of a query or key.
        n_features: m, the number of features.
        seed: chooses the random directions.
        options: what FeatureMap takes.
    """

    def __init__(
        self,
        function: Callable[[Tensor], Tensor],
        dim: int,
        n_features: int,
        seed: int = 0,
        **options: Any,
    ) -> None:
        super().__init__(dim, n_features, seed, **options)
        self.function = function

    def features(self, x: Tensor) -> Tensor:
        """Give f of the projections, raised by ε."""
        return (self.function(self.project(x)) + FLOOR) / math.sqrt(self.n_features)


class ExpFeatures(GeneralisedFeatures):
    """f = exp, without the -‖x‖²/2 that would make it FAVOR+."""

    def __init__(self, dim: int, n_features: int, seed: int = 0, **options: Any) -> None:
        super().__init__(torch.exp, dim, n_features, seed, **options)

    def scaled(self, x: Tensor, is_query: bool, mask: Tensor | None = None) -> Tensor:
        """Give the features over the largest of a query, or of all keys, if it is above one."""
        with torch.autocast(x.device.type, enabled=False):
            exponents = self.project(self.prepare(single_precision(x)))
            if mask is not None and not is_query:
                exponents = exponents.masked_fill(~mask[:, None, :, None], 0)
            largest = exponents.detach().amax(-1 if is_query else (-2, -1), keepdim=True)
            shift = largest.clamp(min=0)
            return exponents.sub(shift).exp_() + FLOOR * (-shift).exp()


def raised_gelu(x: Tensor) -> Tensor:
    """Give GELU raised by its minimum, so that it is nowhere negative."""
    return F.gelu(x) + GELU_MINIMUM


def raised_elu(x: Tensor) -> Tensor:
    """Give ELU + 1: exp(x) below zero and x + 1 above (Katharopoulos et al., ICML 2020)."""
    return F.elu(x) + 1
