"""Encodings that are Toeplitz only in part or on another line, brought to those that are."""

import torch
from torch import Tensor

from oscar.attention.algorithms import toeplitz_attention
from oscar.attention.attended import Attended
from oscar.attention.cls import ClsBias
from oscar.attention.grid import GridBias
from oscar.attention.relative_bias import RelativeBias


def relative_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    rpe: RelativeBias | None,
    causal: bool,
    algorithm: str,
) -> Attended:
    """Attend with weights exp(b_ij) φ(q_i)ᵀ φ(k_j), for any encoding and by any algorithm.

    Arguments are those of `toeplitz_attention`.
    """
    if isinstance(rpe, ClsBias):
        first = _attend_from_cls(query[:, :, :1], key, value, rpe, causal)
        if query.shape[2] == 1:
            return first
        cls_key, cls_value = key[:, :, :1], value[:, :, :1]
        query, key, value = (x[:, :, 1:] for x in (query, key, value))
        others = relative_attention(query, key, value, rpe.inner, causal, algorithm)
        others = _add_cls(others, query, cls_key, cls_value, rpe)
        return Attended(*(torch.cat(pair, dim=2) for pair in zip(first, others, strict=True)))
    if isinstance(rpe, GridBias):
        query, key, value = (rpe.spread(x) for x in (query, key, value))
        on_line = toeplitz_attention(query, key, value, rpe, causal, algorithm)
        return Attended(*(rpe.collect(x) for x in on_line))
    return toeplitz_attention(query, key, value, rpe, causal, algorithm)


def _attend_from_cls(
    query: Tensor, key: Tensor, value: Tensor, rpe: ClsBias, causal: bool
) -> Attended:
    """Attend from CLS alone, (batch, heads, 1, m), to itself and, unless causal, all others."""
    seen = 1 if causal else key.shape[2]
    bias = rpe.cls_row(key.shape[2])[None, :, None, :seen].to(query.dtype)
    levels = bias.detach().amax(-1, keepdim=True)
    weights = query @ key[:, :, :seen].mT * (bias - levels).exp()
    totals = weights.sum(-1, keepdim=True)
    return Attended(_divide(weights @ value[:, :, :seen], totals), totals, levels.expand_as(totals))


def _add_cls(others: Attended, query: Tensor, key: Tensor, value: Tensor, rpe: ClsBias) -> Attended:
    """Let queries that attended to the others also attend to CLS, key and value (…, 1, …)."""
    bias = rpe.to_cls[None, :, None, None].to(query.dtype)
    levels = torch.maximum(others.levels, bias.detach())
    before = others.totals * (others.levels - levels).exp()
    weight = query @ key.mT * (bias - levels).exp()
    totals = before + weight
    result = _divide(others.result * before + weight * value, totals)
    return Attended(result, totals, levels.expand_as(totals))


def _divide(sums: Tensor, totals: Tensor) -> Tensor:
    """Give sums / totals, zero where no key has any weight."""
    return sums / totals.masked_fill(totals == 0, 1)
