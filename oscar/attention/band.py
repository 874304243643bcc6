"""Kernelised attention where the coefficients are constant beyond a window: O(n), and exact.

Keys within `reach` blocks of a query's block are weighed one by one (near.py). All farther ones
have one coefficient a side, so that a running sum of φ(k_j) v_jᵀ over the blocks before, and one
over the blocks after, stand for them.
"""

from typing import Any

import torch
from torch import Tensor

from oscar.attention.attended import Attended, divisor
from oscar.attention.blocks import cut, from_blocks, to_blocks
from oscar.attention.coefficients import Coefficients
from oscar.attention.far import FarField
from oscar.attention.near import NearField

BLOCK = 64  # tokens of a block at least, for fast products of matrices
LARGEST_BLOCK = 128  # beyond that, a wider window takes more blocks
ROUND = 16  # a block is a multiple of this many tokens


def band(query: Tensor, key: Tensor, value: Tensor, log_c: Tensor, causal: bool) -> Attended:
    """Attend over a batch of sequences, in blocks no smaller than the window.

    Args:
        query: φ(q), (batch, heads, n, m).
        key: φ(k), (batch, heads, n, m), zero where padded.
        value: (batch, heads, n, d).
        log_c: (heads, 2w + 1), for the offsets -w … w; the outermost go on beyond.
        causal: whether c is zero for keys after the query.
    """
    size, reach = near_blocks(log_c.shape[1] // 2)
    return attend_in_blocks(query, key, value, log_c, causal, size, reach)


def near_blocks(window: int) -> tuple[int, int]:
    """Give the size of a block, and how many on each side of one hold a window."""
    reach = -(-window // LARGEST_BLOCK)
    widest = -(-window // max(1, reach))
    return max(BLOCK, -(-widest // ROUND) * ROUND), reach


def attend_in_blocks(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    log_c: Tensor,
    causal: bool,
    size: int,
    reach: int,
) -> Attended:
    """Attend over a batch, cut into blocks of `size`; those more than `reach` apart are far."""
    batch, _, n, _ = query.shape
    query, key, value = (to_blocks(x, size) for x in (query, key, value))
    attended = attend_blocks(query, key, value, log_c, [n] * batch, reach, causal)
    return Attended(*(from_blocks(x, batch, n) for x in attended))


def attend_blocks(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    log_c: Tensor,
    lengths: list[int],
    reach: int,
    causal: bool,
) -> Attended:
    """Attend over sequences that are cut into blocks (blocks.py), (blocks, heads, size, …)."""
    result, totals, levels = _attend(query, key, value, log_c, lengths, reach, causal)
    return Attended(result, totals, levels.detach())


# Custom operators, so that torch.compile takes the loops over blocks for one step.
@torch.library.custom_op("oscar::attend_blocks", mutates_args=())
def _attend(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    log_c: Tensor,
    lengths: list[int],
    reach: int,
    causal: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    blocks = cut(tuple(lengths), query.shape[2])
    coefficients = Coefficients(log_c, blocks, causal)
    near_only = blocks.places <= reach + 1
    if near_only:
        sums, totals = torch.empty_like(value), value.new_zeros(*value.shape[:-1], 1)
    else:
        sums, totals = FarField(key, value, blocks, coefficients, reach).sums(query)
    near = NearField(query, key, blocks, coefficients, reach)
    near.add_sums(value, sums, totals, blank=near_only)
    levels = coefficients.levels[..., None].expand_as(totals).clone()
    return sums.div_(divisor(totals)), totals, levels


@torch.library.custom_op("oscar::attend_blocks_backward", mutates_args=())
def _gradients(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    log_c: Tensor,
    to_sums: Tensor,
    to_totals: Tensor,
    lengths: list[int],
    reach: int,
    causal: bool,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Give the gradients of query, key, value and log c from that of the sums and totals.

    The near weights are worked out again, so that no more than a few are alive at a time.
    """
    blocks = cut(tuple(lengths), query.shape[2])
    coefficients = Coefficients(log_c, blocks, causal)
    near_only = blocks.places <= reach + 1
    if near_only:
        gradients = torch.empty_like(query), torch.empty_like(key), torch.empty_like(value)
    else:
        # The far field goes before the near one comes: their memory does not add up.
        far = FarField(key, value, blocks, coefficients, reach)
        gradients, to_tails = far.gradients(query, to_sums, to_totals)
        del far
    near = NearField(query, key, blocks, coefficients, reach)
    to_log_c = near.add_gradients(value, to_sums, to_totals, gradients, blank=near_only)
    if not near_only:
        to_log_c[:, 0] += to_tails[0]
        to_log_c[:, -1] += to_tails[1]
    return *gradients, to_log_c


@_attend.register_fake
def _(query: Tensor, key: Tensor, value: Tensor, log_c: Tensor, *cut: object) -> Any:
    totals = value.new_empty(*value.shape[:-1], 1)
    return torch.empty_like(value), totals, torch.empty_like(totals)


@_gradients.register_fake
def _(query: Tensor, key: Tensor, value: Tensor, log_c: Tensor, *rest: object) -> Any:
    return tuple(torch.empty_like(x) for x in (query, key, value, log_c))


def _setup(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, ...]) -> None:
    ctx.save_for_backward(*inputs[:4], *output[:2])
    ctx.cut = inputs[4:]


def _backward(ctx: Any, to_result: Tensor, to_totals: Tensor, _: Tensor) -> tuple[Any, ...]:
    *inputs, result, totals = ctx.saved_tensors
    to_sums = to_result.contiguous() / divisor(totals)
    to_totals = to_totals - (to_sums * result).sum(-1, keepdim=True)
    with torch.autocast(result.device.type, enabled=False):
        gradients = _gradients(*inputs, to_sums, to_totals, *ctx.cut)
    return *gradients, None, None, None


_attend.register_autograd(_backward, setup_context=_setup)
