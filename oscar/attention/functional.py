"""Kernelised attention as a function of queries, keys and values."""

from collections.abc import Callable

import torch
from torch import Tensor

from oscar.attention.algorithms import ALGORITHMS
from oscar.attention.checks import check_mask
from oscar.attention.choices import check_choice
from oscar.attention.feature_map import FeatureMap, single_precision
from oscar.attention.features import make_feature_map
from oscar.attention.layouts import relative_attention
from oscar.attention.relative_bias import RelativeBias

FeatureFunction = Callable[[Tensor, bool], Tensor]


def kernelized_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    feature_map: str | FeatureMap | FeatureFunction,
    rpe: RelativeBias | None = None,
    mask: Tensor | None = None,
    causal: bool = False,
    algorithm: str = "auto",
) -> Tensor:
    """Attend with weights c_{j-i} φ(q_i)ᵀ φ(k_j), divided by their sum over the keys j.

    Luo et al., NeurIPS 2021, equation 10, with c = exp(b) of the relative positional encoding,
    and c = 0 for the keys j > i of a causal attention.

    Args:
        q: queries (batch, heads, n, d).
        k: keys (batch, heads, keys, d); without rpe and not causal, any number of keys.
        v: values (batch, heads, keys, any size).
        feature_map: name of a feature map, a FeatureMap, or any function of (x, is_query) that
            gives φ (…, m).
        rpe: relative positional encoding, or None for c = 1.
        mask: (batch, keys), True where real; padded keys get φ(k) = 0, and neither they nor
            their values are looked at.
        causal: whether a query sees only itself and what comes before.
        algorithm: a name of `ALGORITHMS`; they differ in speed alone, and "auto" is the fastest.

    Returns:
        (batch, heads, n, size of v) in the type of v; computed in float32 at least. A query
        that sees no real key gives zeros.

    Raises:
        OscarError: there is no such algorithm, it cannot do with this encoding, or the mask is of
            another type or shape.
    """
    check_choice("algorithm", algorithm, ALGORITHMS)
    if isinstance(feature_map, str):
        feature_map = make_feature_map(feature_map, q.shape[-1]).to(q.device)
    if mask is not None:
        check_mask(mask, k.shape[0], k.shape[2])
        k, v = (x.masked_fill(~mask[:, None, :, None], 0) for x in (k, v))
    if not q.shape[2] or not k.shape[2]:
        return (q @ k.mT @ v).to(v.dtype)  # nothing, or a sum of nothing
    query = features_of(feature_map, q, True, None)
    key = features_of(feature_map, k, False, mask)
    if mask is not None:
        key = key.masked_fill(~mask[:, None, :, None], 0)
    with torch.autocast(q.device.type, enabled=False):
        result = relative_attention(query, key, single_precision(v), rpe, causal, algorithm).result
    if mask is not None:
        result = result.masked_fill(~_sees_a_key(mask, causal)[:, None, :, None], 0)
    return result.to(v.dtype)


def features_of(
    feature_map: FeatureMap | FeatureFunction, x: Tensor, is_query: bool, mask: Tensor | None
) -> Tensor:
    """Give φ of queries or keys up to factors that cancel, in float32 at least."""
    if isinstance(feature_map, FeatureMap):
        return feature_map.scaled(x, is_query, mask)
    with torch.autocast(x.device.type, enabled=False):
        return feature_map(single_precision(x), is_query)


def _sees_a_key(mask: Tensor, causal: bool) -> Tensor:
    """Tell for each query (batch, n or 1) whether any real key is in its sight."""
    return mask.cumsum(1) > 0 if causal else mask.any(1, keepdim=True)
