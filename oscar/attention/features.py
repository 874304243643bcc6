"""The feature maps by name: the kernel of an attention layer is κ(q, k) = φ(q)ᵀ φ(k).

All maps but `nprf` scale their input by d^(-1/4), so that the softmax kernel they estimate is
exp(qᵀk / √d); `nprf` divides it by its length and estimates exp(q̂ᵀk̂).
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch.nn import functional as F

from oscar.attention.choices import check_choice
from oscar.attention.feature_map import FeatureMap
from oscar.attention.generalised_features import (
    ExpFeatures,
    GeneralisedFeatures,
    raised_elu,
    raised_gelu,
)
from oscar.attention.softmax_features import (
    FavorFeatures,
    HyperbolicFeatures,
    NormalisedFeatures,
    TrigonometricFeatures,
)

FEATURE_MAPS: dict[str, Callable[..., FeatureMap]] = {
    "nprf": NormalisedFeatures,
    "favor+": FavorFeatures,
    "hyperbolic": HyperbolicFeatures,
    "trig": TrigonometricFeatures,
    "relu": partial(GeneralisedFeatures, F.relu),
    "gelu": partial(GeneralisedFeatures, raised_gelu),
    "elu": partial(GeneralisedFeatures, raised_elu),
    "sigmoid": partial(GeneralisedFeatures, torch.sigmoid),
    "exp": ExpFeatures,
}


def make_feature_map(
    name: str, dim: int, n_features: int = 64, seed: int = 0, **options: Any
) -> FeatureMap:
    """Build the feature map called `name`.

    Args:
        name: one of FEATURE_MAPS.
        dim: length of a query or key.
        n_features: m, the number of features.
        seed: chooses the random directions.
        options: `directions`, `norms` and `redraw_every`, as FeatureMap takes them.

    Raises:
        OscarError: there is no such map, or it cannot have `n_features` features.
    """
    check_choice("feature map", name, FEATURE_MAPS)
    return FEATURE_MAPS[name](dim, n_features, seed, **options)
