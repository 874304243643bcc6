"""Kernelised attention within sequences of any lengths that stand one after the other, unpadded."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from oscar.attention.algorithms import decay_rates, usable_algorithms
from oscar.attention.band import attend_blocks, near_blocks
from oscar.attention.blocks import Blocks, cut
from oscar.attention.checks import sequence_lengths
from oscar.attention.choices import check_choice
from oscar.attention.feature_map import FeatureMap, single_precision
from oscar.attention.features import make_feature_map
from oscar.attention.functional import (
    ALGORITHMS,
    FeatureFunction,
    features_of,
    kernelized_attention,
)
from oscar.attention.relative_bias import RelativeBias, log_line
from oscar.attention.scan import BLOCK, scan_blocks

IN_BLOCKS = ("scan", "linear", "band", "dense")  # the others take one sequence after the other


@torch.compiler.disable  # the cut depends on the lengths
def kernelized_attention_packed(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    cu_seqlens: Tensor,
    *,
    feature_map: str | FeatureMap | FeatureFunction,
    rpe: RelativeBias | None = None,
    causal: bool = False,
    algorithm: str = "auto",
) -> Tensor:
    """Attend within each sequence as `kernelized_attention` does, without any padding.

    Blocks are cut at the borders of the sequences. Where φ is an exponential, the constant taken
    off the keys' exponents is one for all sequences of a head.

    Args:
        q: queries (total, heads, d), all sequences.
        k: keys (total, heads, d).
        v: values (total, heads, any size).
        cu_seqlens: (sequences + 1,) integers: where each sequence starts, and the total.
        feature_map: as in `kernelized_attention`, like all that follow.
        rpe: relative positional encoding, or None for c = 1.
        causal: whether a query sees only itself and what comes before.
        algorithm: a name of `ALGORITHMS`.

    Returns:
        (total, heads, size of v).

    Raises:
        OscarError: there is no such algorithm, it cannot do with this encoding, or cu_seqlens does
            not divide the rows.
    """
    check_choice("algorithm", algorithm, ALGORITHMS)
    if isinstance(feature_map, str):
        feature_map = make_feature_map(feature_map, q.shape[-1]).to(q.device)
    lengths = sequence_lengths(cu_seqlens, len(q))
    usable = usable_algorithms(rpe, causal)
    algorithm = usable[0] if algorithm == "auto" else algorithm
    if not lengths:
        return v
    in_blocks = algorithm in IN_BLOCKS and algorithm in usable
    if not in_blocks or (rpe is not None and not rpe.toeplitz):
        kind: dict[str, Any] = {"rpe": rpe, "causal": causal, "algorithm": algorithm}
        alone = partial(kernelized_attention, feature_map=feature_map, **kind)
        return one_by_one(alone, q, k, v, lengths)
    q, k, v = (x.transpose(0, 1)[None] for x in (q, k, v))
    query = features_of(feature_map, q, True, None)
    key = features_of(feature_map, k, False, None)
    value = single_precision(v)
    with torch.autocast(q.device.type, enabled=False):
        result = _attend(query[0], key[0], value[0], lengths, rpe, causal, algorithm)
    return result.to(v.dtype)


def one_by_one(
    attend: Callable[[Tensor, Tensor, Tensor], Tensor],
    q: Tensor,
    k: Tensor,
    v: Tensor,
    lengths: list[int],
) -> Tensor:
    """Call `attend` with each sequence, (1, heads, length, d), and join what it gives.

    Args:
        attend: attention of q, k and v.
        q: queries (total, heads, d), like k and v.
        k: keys.
        v: values.
        lengths: of the sequences, at least one.

    Returns:
        (total, heads, size of v).
    """
    parts = (x.transpose(0, 1)[None].split(lengths, dim=2) for x in (q, k, v))
    results = [attend(*sequence) for sequence in zip(*parts, strict=True)]
    return torch.cat(results, dim=2)[0].transpose(0, 1)


def _attend(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    lengths: list[int],
    rpe: RelativeBias | None,
    causal: bool,
    algorithm: str,
) -> Tensor:
    """Attend with φ(q), φ(k) (heads, total, m) and values (heads, total, d): (total, heads, d)."""
    longest = max(lengths)
    log_c = log_line(rpe, query.shape[0], longest, query[None])
    size, reach = near_blocks(log_c.shape[1] // 2)
    if algorithm == "dense":
        size, reach = min(longest, BLOCK), -(-longest // BLOCK) - 1
    elif algorithm == "scan":
        size = BLOCK
    order = sorted(range(len(lengths)), key=lambda s: -lengths[s])
    blocks = cut(tuple(lengths[s] for s in order), size)
    slots = _slots(blocks, lengths, order, query.device)
    query, key, value = (_gather(x, slots) for x in (query, key, value))
    if algorithm == "scan":
        rates = decay_rates(rpe, query)
        attended = scan_blocks(query, key, value, rates, list(blocks.lengths), causal)
    else:
        attended = attend_blocks(query, key, value, log_c, list(blocks.lengths), reach, causal)
    return _scatter(attended.result, slots, sum(lengths))


def _slots(blocks: Blocks, lengths: list[int], order: list[int], device: torch.device) -> Tensor:
    """Give the token in each slot of each block, (blocks, size); the total where there is none."""
    stops = torch.tensor(lengths).cumsum(0)
    starts = stops - torch.tensor(lengths)
    sequence = torch.tensor([s for count in blocks.counts for s in order[:count]])
    place = torch.tensor([p for p, count in enumerate(blocks.counts) for _ in range(count)])
    first = starts[sequence] + place * blocks.size
    slots = first[:, None] + torch.arange(blocks.size)
    return torch.where(slots < stops[sequence, None], slots, stops[-1]).to(device)


def _gather(x: Tensor, slots: Tensor) -> Tensor:
    """Give tokens (heads, total, m) as (blocks, heads, size, m), zero where there is none."""
    tokens = torch.nn.functional.pad(x.transpose(0, 1), (0, 0, 0, 0, 0, 1))
    return tokens[slots].transpose(1, 2).contiguous()


def _scatter(x: Tensor, slots: Tensor, total: int) -> Tensor:
    """Give (blocks, heads, size, d) as tokens (total, heads, d)."""
    place = torch.empty(total + 1, dtype=torch.int64, device=x.device)
    place[slots.flatten()] = torch.arange(slots.numel(), device=x.device)
    return x.transpose(1, 2).flatten(0, 1)[place[:total]]
