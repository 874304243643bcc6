"""Softmax attention with relative positions, by torch's scaled dot product: what is estimated."""

import torch
from torch import Tensor
from torch.nn import functional as F

from oscar.attention.checks import check_mask
from oscar.attention.relative_bias import RelativeBias


def softmax_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    rpe: RelativeBias | None = None,
    mask: Tensor | None = None,
    causal: bool = False,
) -> Tensor:
    """Attend with weights exp(q_iᵀk_j / √d + b_{j-i}), divided by their sum over the keys j.

    Args:
        q: queries (batch, heads, n, d).
        k: keys (batch, heads, any number, d).
        v: values (batch, heads, as many, any size).
        rpe: relative positional encoding, or None for b = 0.
        mask: (batch, keys), True where real; padded keys and their values are not looked at.
        causal: whether a query sees only itself and what comes before.

    Returns:
        (batch, heads, n, size of v). A query that sees no real key gives zeros.

    Raises:
        OscarError: the mask is of another type or shape.
    """
    if mask is not None:
        check_mask(mask, k.shape[0], k.shape[2])
        k, v = (x.masked_fill(~mask[:, None, :, None], 0) for x in (k, v))
    if not q.shape[2] or not k.shape[2]:
        return q @ k.mT @ v  # nothing, or a sum of nothing
    if rpe is None and mask is None:
        return F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    n, keys = q.shape[2], k.shape[2]
    bias = q.new_zeros(1, n, keys) if rpe is None else rpe.matrix(n).to(q.dtype)
    visible = torch.ones(n, keys, dtype=torch.bool, device=q.device)[None, None]
    if causal:
        visible = visible.tril()
    if mask is not None:
        visible = visible & mask[:, None, None, :]
    # The lowest finite number, not -inf: a softmax over nothing but -inf is NaN.
    logits = bias[None].masked_fill(~visible, torch.finfo(q.dtype).min)
    attended = F.scaled_dot_product_attention(q, k, v, attn_mask=logits)
    return attended * visible.any(-1, keepdim=True)
