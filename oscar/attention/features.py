"""Feature maps φ: the kernel of an attention layer is κ(q, k) = φ(q)ᵀ φ(k).

All maps but `nprf` scale their input by d^(-1/4), so that the softmax kernel they estimate is
exp(qᵀk / √d); `nprf` divides it by its length and estimates exp(q̂ᵀk̂).
"""

import math
from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from oscar.attention.choices import check_choice
from oscar.attention.random_features import orthogonal_gaussian
from static_analysis.errors import OscarError

RELU_FLOOR = 1e-3  # ε of the generalised kernel f(ωᵀx) + ε: keeps every weight positive


def single_precision(x: Tensor) -> Tensor:
    """Widen half precision to float32 and leave float32 and float64 alone."""
    return x.float() if x.dtype in (torch.float16, torch.bfloat16) else x


class FeatureMap(nn.Module, ABC):
    """A map φ from (…, dim) to (…, n_features), with seeded random directions as a buffer.

    Args:
        dim: length of a query or key.
        n_features: m, the number of features.
        seed: chooses the random directions; the same seed gives the same map.
    """

    features_per_direction = 1
    directions: Tensor

    def __init__(self, dim: int, n_features: int, seed: int = 0) -> None:
        super().__init__()
        rows, left = divmod(n_features, self.features_per_direction)
        if rows < 1 or left:
            raise OscarError(
                f"n_features is {n_features}: {type(self).__name__} needs a positive multiple of "
                f"{self.features_per_direction}"
            )
        self.dim = dim
        self.n_features = n_features
        self.register_buffer("directions", orthogonal_gaussian(rows, dim, seed))

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

    def prepare(self, x: Tensor) -> Tensor:
        """Scale the input so that the inner product of two inputs is the softmax's logit."""
        return x / math.sqrt(math.sqrt(self.dim))

    def project(self, x: Tensor) -> Tensor:
        """Give ωᵀx for each direction ω."""
        return x @ self.directions.to(x.dtype).T

    @abstractmethod
    def features(self, x: Tensor) -> Tensor:
        """Give the features of prepared inputs."""


class FavorFeatures(FeatureMap):
    """FAVOR+: φ(x) = exp(ωᵀx - ‖x‖²/2) / √m, positive and unbiased for exp(xᵀy).

    Choromanski et al., ICLR 2021, lemma 1.
    """

    def features(self, x: Tensor) -> Tensor:
        """Give exp of the exponents over √m."""
        return self.exponents(x).exp() / math.sqrt(self.n_features)

    def scaled(self, x: Tensor, is_query: bool, mask: Tensor | None = None) -> Tensor:
        """Give the features with the largest exponent of a query, or of all keys, taken off."""
        with torch.autocast(x.device.type, enabled=False):
            exponents = self.exponents(self.prepare(single_precision(x)))
            if mask is not None and not is_query:
                exponents = exponents.masked_fill(~mask[:, None, :, None], -torch.inf)
            return (exponents - _largest(exponents.detach(), is_query)).exp()

    def exponents(self, x: Tensor) -> Tensor:
        """Give ωᵀx - ‖x‖²/2 for prepared inputs, (…, n_features)."""
        return self.project(x) - x.square().sum(-1, keepdim=True) / 2


class NormalisedFeatures(FavorFeatures):
    """NPRF: FAVOR+ features of unit vectors (Luo et al., NeurIPS 2021, section 3.3).

    With ‖q‖ = ‖k‖ = 1 the variance of the estimate is bounded, so a few features are enough and
    training from scratch is stable; the relative positions give back the sharpness it costs.
    """

    def prepare(self, x: Tensor) -> Tensor:
        """Divide by the length; a zero vector stays zero."""
        return F.normalize(x, dim=-1)


class HyperbolicFeatures(FavorFeatures):
    """FAVOR+ with each direction used in both senses: exponents ±ωᵀx - ‖x‖²/2.

    Choromanski et al., ICLR 2021, lemma 1, second form: lower variance for the same directions.
    """

    features_per_direction = 2

    def exponents(self, x: Tensor) -> Tensor:
        """Give both exponents of each direction."""
        projected = self.project(x)
        half_square = x.square().sum(-1, keepdim=True) / 2
        return torch.cat([projected, -projected], dim=-1) - half_square


class TrigonometricFeatures(FeatureMap):
    """φ(x) = exp(‖x‖²/2) √(2/m) [sin ωᵀx, cos ωᵀx]: unbiased for exp(xᵀy), but not positive.

    Rahimi & Recht, 2007. Weights near zero can come out negative, which makes the attention's
    denominator unreliable for long inputs: here for comparison with the positive features.
    """

    features_per_direction = 2

    def features(self, x: Tensor) -> Tensor:
        """Give the sines and cosines."""
        projected = self.project(x)
        waves = torch.cat([projected.sin(), projected.cos()], dim=-1)
        growth = (x.square().sum(-1, keepdim=True) / 2).exp()
        return waves * growth * math.sqrt(2 / self.n_features)


class ReluFeatures(FeatureMap):
    """Generalised kernel φ(x) = (max(0, ωᵀx) + ε) / √m (Choromanski et al., section 2.2)."""

    def features(self, x: Tensor) -> Tensor:
        """Give the rectified projections, never quite zero."""
        return (F.relu(self.project(x)) + RELU_FLOOR) / math.sqrt(self.n_features)


def _largest(exponents: Tensor, is_query: bool) -> Tensor:
    """Give the largest exponent of each query, or of all keys of a sequence and head."""
    largest = exponents.amax(-1 if is_query else (-2, -1), keepdim=True)
    return largest.masked_fill(largest == -torch.inf, 0)  # a sequence without a real key


FEATURE_MAPS: dict[str, type[FeatureMap]] = {
    "nprf": NormalisedFeatures,
    "favor+": FavorFeatures,
    "hyperbolic": HyperbolicFeatures,
    "trig": TrigonometricFeatures,
    "relu": ReluFeatures,
}


def make_feature_map(name: str, dim: int, n_features: int, seed: int = 0) -> FeatureMap:
    """Build the feature map called `name`.

    Raises:
        OscarError: there is no such map, or it cannot have `n_features` features.
    """
    check_choice("feature map", name, FEATURE_MAPS)
    return FEATURE_MAPS[name](dim, n_features, seed)
