"""Feature maps whose kernel is an exponential: estimates of the softmax's weights."""

import math
from abc import abstractmethod
from typing import Any

import torch
from torch import Tensor

from oscar.attention.feature_map import FeatureMap, single_precision
from static_analysis.errors import OscarError

LEAST_LENGTH = 1e-12  # below it a vector counts as zero


class ExponentialFeatures(FeatureMap):
    """φ(x) = exp(e(x) - s(x)) f(x) / √m, where s is the same for all features of x.

    In attention s of a query cancels, and so does a constant taken off every key's exponents:
    `scaled` leaves out the one and chooses the other so that no exponential overflows.
    """

    def features(self, x: Tensor) -> Tensor:
        """Give the features of prepared inputs, as the formula says."""
        exponents = self.exponents(x) - self.shrinkage(x)
        return self.modulate(exponents.exp(), x) / math.sqrt(self.n_features)

    def scaled(self, x: Tensor, is_query: bool, mask: Tensor | None = None) -> Tensor:
        """Give the features with the largest exponent of a query, or of all keys, taken off."""
        with torch.autocast(x.device.type, enabled=False):
            prepared = self.prepare(single_precision(x))
            exponents = self.exponents(prepared)
            largest = exponents.detach().amax(-1, keepdim=True)
            if is_query:
                shift = largest
            else:
                shrinkage = self.shrinkage(prepared)
                visible = None if mask is None else mask[:, None, :, None]
                shift = shrinkage + _largest_key(largest - shrinkage.detach(), visible)
                if visible is not None:
                    shift = shift.masked_fill(~visible, torch.inf)
            return self.modulate(exponents.sub_(shift).exp_(), prepared)

    @abstractmethod
    def exponents(self, x: Tensor) -> Tensor:
        """Give e(x) for prepared inputs, (…, n_features or 1), in a tensor of its own."""

    @abstractmethod
    def shrinkage(self, x: Tensor) -> Tensor:
        """Give s(x) for prepared inputs, (…, 1)."""

    def modulate(self, exponentials: Tensor, x: Tensor) -> Tensor:
        """Multiply by f(x) of prepared inputs, which is one here."""
        return exponentials


class FavorFeatures(ExponentialFeatures):
    """FAVOR+: φ(x) = exp(ωᵀx - ‖x‖²/2) / √m, positive and unbiased for exp(xᵀy).

    Choromanski et al., ICLR 2021, lemma 1.
    """

    def exponents(self, x: Tensor) -> Tensor:
        """Give ωᵀx."""
        return self.project(x)

    def shrinkage(self, x: Tensor) -> Tensor:
        """Give ‖x‖²/2."""
        return x.square().sum(-1, keepdim=True) / 2


class NormalisedFeatures(FavorFeatures):
    """NPRF: FAVOR+ features of unit vectors (Luo et al., NeurIPS 2021, section 3.3).

    With ‖q‖ = ‖k‖ = 1 the variance of the estimate is bounded, so a few features are enough and
    training from scratch is stable; the relative positions give back the sharpness it costs.
    """

    def prepare(self, x: Tensor) -> Tensor:
        """Give x̂; a zero vector has no direction and all its exponents are zero."""
        length: Tensor = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
        return x * length.clamp(min=LEAST_LENGTH).reciprocal()

    def shrinkage(self, x: Tensor) -> Tensor:
        """Give ½, for the length is one."""
        return x.new_full((1,), 0.5)


class HyperbolicFeatures(FavorFeatures):
    """FAVOR+ with each direction used in both senses: exponents ±ωᵀx - ‖x‖²/2.

    Choromanski et al., ICLR 2021, lemma 1, second form: less variance for the same number of
    features. Of an odd number of features, one has no opposite.
    """

    @property
    def rows(self) -> int:
        """Number of directions: one for two features."""
        return -(-self.n_features // 2)

    def exponents(self, x: Tensor) -> Tensor:
        """Give ωᵀx and -ωᵀx for each direction."""
        projected = self.project(x)
        return torch.cat([projected, -projected], dim=-1)[..., : self.n_features]


class TrigonometricFeatures(ExponentialFeatures):
    """φ(x) = exp(‖x‖²/2) √(2/m) [sin ωᵀx, cos ωᵀx]: unbiased for exp(xᵀy), but not positive.

    Rahimi & Recht, 2007. Weights near zero can come out negative, which makes the attention's
    denominator unreliable for long inputs: here for comparison with the positive features.

    Raises:
        OscarError: the number of features is odd; a sine without its cosine is biased.
    """

    def __init__(self, dim: int, n_features: int, seed: int = 0, **options: Any) -> None:
        if n_features % 2:
            raise OscarError(f"n_features is {n_features}: trig needs an even number of features")
        super().__init__(dim, n_features, seed, **options)

    @property
    def rows(self) -> int:
        """Number of directions: one for a sine and a cosine."""
        return self.n_features // 2

    def exponents(self, x: Tensor) -> Tensor:
        """Give zero: all growth is in the shrinkage."""
        return x.new_zeros(*x.shape[:-1], 1)

    def shrinkage(self, x: Tensor) -> Tensor:
        """Give -‖x‖²/2."""
        return x.square().sum(-1, keepdim=True) / -2

    def modulate(self, exponentials: Tensor, x: Tensor) -> Tensor:
        """Multiply by the sines and cosines times √2."""
        projected = self.project(x)
        waves = torch.cat([projected.sin(), projected.cos()], dim=-1)
        return exponentials * waves * math.sqrt(2)


def _largest_key(exponents: Tensor, visible: Tensor | None) -> Tensor:
    """Give the largest exponent (…, n, 1) of all real keys of each sequence and head."""
    if visible is not None:
        exponents = exponents.masked_fill(~visible, -torch.inf)
    largest = exponents.amax(-2, keepdim=True)
    return largest.masked_fill(largest == -torch.inf, 0)  # a sequence without a real key
