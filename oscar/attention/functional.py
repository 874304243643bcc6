"""Kernelised attention as a function of queries, keys and values."""

from collections.abc import Callable

import torch
from torch import Tensor

from oscar.attention.choices import check_choice
from oscar.attention.dense import dense
from oscar.attention.feature_map import FeatureMap, single_precision
from oscar.attention.reference_fft import reference_fft
from oscar.attention.rpe import RelativeBias
from oscar.attention.toeplitz import log_coefficients

ALGORITHMS = {"auto": dense, "dense": dense, "reference_fft": reference_fft}

FeatureFunction = Callable[[Tensor, bool], Tensor]


def kernelized_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    feature_map: FeatureMap | FeatureFunction,
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
        k: keys (batch, heads, n, d).
        v: values (batch, heads, n, any size).
        feature_map: a FeatureMap, or any function of (x, is_query) that gives φ (…, m).
        rpe: relative positional encoding, or None for c = 1.
        mask: (batch, n), True where real; padded keys get φ(k) = 0.
        causal: whether a query sees only itself and what comes before.
        algorithm: "dense", "reference_fft", or "auto", which is dense.

    Returns:
        (batch, heads, n, size of v) in the type of v; computed in float32 at least. A query
        that sees no real key gives zeros.

    Raises:
        OscarError: there is no such algorithm.
    """
    check_choice("algorithm", algorithm, ALGORITHMS)
    with torch.autocast(q.device.type, enabled=False):
        query = _features(feature_map, q, True, mask)
        key = _features(feature_map, k, False, mask)
        if mask is not None:
            key = key.masked_fill(~mask[:, None, :, None], 0)
        log_c = log_coefficients(rpe, q.shape[1], q.shape[2], causal, query)
        value = torch.nn.functional.pad(single_precision(v), (0, 1), value=1)
        result = ALGORITHMS[algorithm](query, key, value, log_c)
    if mask is not None:
        result = result.masked_fill(~_sees_a_key(mask, causal)[:, None, :, None], 0)
    return result.to(v.dtype)


def _features(
    feature_map: FeatureMap | FeatureFunction, x: Tensor, is_query: bool, mask: Tensor | None
) -> Tensor:
    if isinstance(feature_map, FeatureMap):
        return feature_map.scaled(x, is_query, mask)
    return feature_map(single_precision(x), is_query)


def _sees_a_key(mask: Tensor, causal: bool) -> Tensor:
    """Tell for each query (batch, n) whether any real key is in its sight."""
    return mask.cumsum(1) > 0 if causal else mask.any(1, keepdim=True).expand_as(mask)
