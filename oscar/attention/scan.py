"""Kernelised attention where the coefficients decay by a constant rate: O(n), and exact.

c_{j-i} = exp(-s|j-i|) makes the sum over all keys before a block a recurrence: the state of the
block before, decayed, plus that block's own keys. Causal attention without positions is s = 0.
"""

from typing import Any

import torch
from torch import Tensor

from oscar.attention.attended import Attended, divisor, with_ones
from oscar.attention.blocks import cut, from_blocks, to_blocks

BLOCK = 64


def scan(query: Tensor, key: Tensor, value: Tensor, rates: Tensor, causal: bool) -> Attended:
    """Attend over a batch of sequences.

    Args:
        query: φ(q), (batch, heads, n, m).
        key: φ(k), (batch, heads, n, m), zero where padded.
        value: (batch, heads, n, d).
        rates: s ≥ 0, (heads,).
        causal: whether c is zero for keys after the query.
    """
    batch, _, n, _ = query.shape
    query, key, value = (to_blocks(x, BLOCK) for x in (query, key, value))
    attended = scan_blocks(query, key, value, rates, [n] * batch, causal)
    return Attended(*(from_blocks(x, batch, n) for x in attended))


def scan_blocks(
    query: Tensor, key: Tensor, value: Tensor, rates: Tensor, lengths: list[int], causal: bool
) -> Attended:
    """Attend over sequences that are cut into blocks (blocks.py), (blocks, heads, size, …)."""
    value = with_ones(value)
    sums = _within(query, key, value, rates, causal)
    if max(lengths) > query.shape[2]:
        sums = sums + _beyond(query, key, value, rates, lengths, reverse=False)
        if not causal:
            sums = sums + _beyond(query, key, value, rates, lengths, reverse=True)
    totals = sums[..., -1:]
    result = sums[..., :-1] / divisor(totals)
    return Attended(result, totals, torch.zeros_like(totals))


def _within(query: Tensor, key: Tensor, value: Tensor, rates: Tensor, causal: bool) -> Tensor:
    """Sum over the keys of a query's own block."""
    place = torch.arange(query.shape[2], device=query.device)
    tile = (-rates[:, None, None] * (place[:, None] - place).abs()).exp()
    weights = query @ key.mT * (tile.tril() if causal else tile)
    return weights @ value


def _beyond(
    query: Tensor, key: Tensor, value: Tensor, rates: Tensor, lengths: list[int], reverse: bool
) -> Tensor:
    """Sum over the keys of all blocks before a query's block, or after it.

    A distance is that from the query to its block's edge, plus whole blocks, plus that from the
    edge of the key's block to the key: three factors, none above one.
    """
    place = torch.arange(query.shape[2], device=query.device)
    first = place.flip(0) if reverse else place
    from_edge = (-rates[:, None] * (first + 1)).exp()[..., None]
    to_edge = (-rates[:, None] * first.flip(0)).exp()[..., None]
    states = (key * to_edge).mT @ value
    decay = (-rates * query.shape[2]).exp()[:, None, None]
    arriving = _decayed(states, decay, lengths, query.shape[2], reverse)
    sums: Tensor = (query * from_edge) @ arriving
    return sums


@torch.library.custom_op("oscar::decayed_sums", mutates_args=())
def _decayed(x: Tensor, decay: Tensor, lengths: list[int], size: int, reverse: bool) -> Tensor:
    """Give S_p = x_{p-1} + decay · S_{p-1} along each sequence's blocks p, or backwards."""
    return cut(tuple(lengths), size).running(x, 1, reverse, decay)


@_decayed.register_fake
def _(x: Tensor, decay: Tensor, lengths: list[int], size: int, reverse: bool) -> Tensor:
    return torch.empty_like(x)


def _setup(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    _, decay, ctx.lengths, ctx.size, ctx.reverse = inputs
    ctx.save_for_backward(decay, output)


def _backward(ctx: Any, gradient: Tensor) -> tuple[Any, ...]:
    decay, sums = ctx.saved_tensors
    to_x = _decayed(gradient.contiguous(), decay, ctx.lengths, ctx.size, not ctx.reverse)
    return to_x, (to_x * sums).sum((0, 2, 3))[:, None, None], None, None, None


_decayed.register_autograd(_backward, setup_context=_setup)
