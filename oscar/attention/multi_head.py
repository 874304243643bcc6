"""The projections to and from heads that all attention layers share."""

from abc import ABC, abstractmethod
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from oscar.attention.checks import check_mask, check_shape, sequence_lengths
from oscar.attention.packed import one_by_one
from oscar.attention.relative_bias import RelativeBias
from oscar.attention.rpe import make_relative_bias
from static_analysis.errors import OscarError


class MultiHeadAttention(nn.Module, ABC):
    """Projections to and from heads around an attention that a subclass defines.

    Args:
        dim: width of the input and output.
        heads: number of heads; divides `dim`.
        rpe: name of the relative positional encoding, None, or a RelativeBias.
        causal: whether a query sees only itself and what comes before.
        position_dim: width, for each head, of the position queries and keys given to `forward`.

    Raises:
        OscarError: `heads` does not divide `dim`, or there is no such encoding.
    """

    def __init__(
        self, dim: int, heads: int, rpe: str | RelativeBias | None, causal: bool, position_dim: int
    ) -> None:
        super().__init__()
        if heads < 1 or dim % heads:
            raise OscarError(f"dim {dim} does not split into {heads} heads: choose a divisor")
        self.dim = dim
        self.heads = heads
        self.position_dim = position_dim
        self.key_dim = dim // heads + position_dim
        self.causal = causal
        self.projection = nn.Linear(dim, 3 * dim)
        self.output = nn.Linear(dim, dim)
        self.rpe = make_relative_bias(rpe, heads, causal)

    def forward(
        self,
        x: Tensor,
        mask: Tensor | None = None,
        position_queries: Tensor | None = None,
        position_keys: Tensor | None = None,
        *,
        context: Tensor | None = None,
    ) -> Tensor:
        """Attend over a batch of sequences.

        Args:
            x: (batch, n, dim).
            mask: (batch, n), True where real; of the context if there is one. What is padded
                counts as zeros, whatever stands there, in x and in the positions.
            position_queries: (batch, heads, n, position_dim), joined to the queries: the logit
                becomes [q; p]ᵀ[k; r] = qᵀk + pᵀr before its scaling.
            position_keys: the same for the keys.
            context: (batch, any length, dim) to attend to in place of x (cross-attention).

        Returns:
            (batch, n, dim).

        Raises:
            OscarError: there is a context, and the layer is causal or has relative positions,
                which mean nothing between two sequences; or an input has the wrong type or shape.
        """
        x, context = self._blank(x, context, mask)
        q, k, v = (self._split(part) for part in self._project(x, context))
        if position_queries is not None and position_keys is not None:
            if mask is not None and context is None:
                position_queries = position_queries.masked_fill(~mask[:, None, :, None], 0)
            q = torch.cat([q, position_queries.to(q.dtype)], dim=-1)
            k = torch.cat([k, position_keys.to(k.dtype)], dim=-1)
        attended = self.attend(q, k, v, mask)
        result: Tensor = self.output(attended.transpose(1, 2).flatten(2))
        return result

    def forward_packed(
        self,
        x: Tensor,
        cu_seqlens: Tensor,
        position_queries: Tensor | None = None,
        position_keys: Tensor | None = None,
    ) -> Tensor:
        """Attend within each of several sequences that stand one after the other, unpadded.

        Args:
            x: (total, dim), all sequences.
            cu_seqlens: (sequences + 1,) integers: where each sequence starts, then total.
            position_queries: (total, heads, position_dim).
            position_keys: the same for the keys.

        Returns:
            (total, dim).

        Raises:
            OscarError: x has another shape, or cu_seqlens does not divide its rows.
        """
        check_shape("x", x, "total", self.dim)
        q, k, v = (
            part.unflatten(-1, (self.heads, -1)) for part in self.projection(x).chunk(3, dim=-1)
        )
        if position_queries is not None and position_keys is not None:
            q = torch.cat([q, position_queries.to(q.dtype)], dim=-1)
            k = torch.cat([k, position_keys.to(k.dtype)], dim=-1)
        result: Tensor = self.output(self.attend_packed(q, k, v, cu_seqlens).flatten(1))
        return result

    @abstractmethod
    def attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        """Attend with q, k (batch, heads, n, key_dim) and v (batch, heads, n, dim/heads)."""

    def attend_packed(self, q: Tensor, k: Tensor, v: Tensor, cu_seqlens: Tensor) -> Tensor:
        """Attend with q, k (total, heads, key_dim) and v (total, heads, dim/heads).

        One sequence after the other, unless a subclass knows better.
        """
        lengths = sequence_lengths(cu_seqlens, len(q))
        return one_by_one(partial(self.attend, mask=None), q, k, v, lengths) if lengths else v

    def _blank(
        self, x: Tensor, context: Tensor | None, mask: Tensor | None
    ) -> tuple[Tensor, Tensor | None]:
        """Check the inputs and put zeros where the mask says padded, in the context if any."""
        check_shape("x", x, "batch", "n", self.dim)
        if context is not None:
            check_shape("context", context, "batch", "any length", self.dim)
        if mask is None:
            return x, context
        attended = x if context is None else context
        check_mask(mask, *attended.shape[:2])
        attended = attended.masked_fill(~mask[..., None], 0)
        return (attended, None) if context is None else (x, attended)

    def _project(self, x: Tensor, context: Tensor | None) -> tuple[Tensor, ...]:
        """Give queries, keys and values, (batch, n, dim) each."""
        if context is None:
            parts: tuple[Tensor, ...] = self.projection(x).chunk(3, dim=-1)
            return parts
        if self.causal or self.rpe is not None:
            raise OscarError("cross-attention has no offsets: build it with rpe=None, causal=False")
        weight, bias = self.projection.weight, self.projection.bias
        of_query, of_context = weight.split([self.dim, 2 * self.dim])
        query_bias, context_bias = bias.split([self.dim, 2 * self.dim])
        keys_and_values = F.linear(context, of_context, context_bias)
        return F.linear(x, of_query, query_bias), *keys_and_values.chunk(2, dim=-1)

    def _split(self, x: Tensor) -> Tensor:
        heads: Tensor = x.unflatten(-1, (self.heads, -1))
        return heads.transpose(1, 2)
