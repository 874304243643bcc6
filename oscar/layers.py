"""The Transformer layer of all encoders, and stacks of them over packed sequences."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from oscar.attention import FreeBias, KernelizedAttention, SoftmaxAttention
from oscar.attention.multi_head import MultiHeadAttention
from oscar.config import OscarConfig
from oscar.packing import Packing

Conditions = Sequence[tuple[Tensor, Tensor]]
"""Position queries and keys (sequences, width, heads, position size) for each bucket."""


def make_attention(
    kind: str, config: OscarConfig, seed: int, position_dim: int = 0, longest: int | None = None
) -> MultiHeadAttention:
    """Build a layer's attention, with random features of its own.

    Args:
        kind: "softmax" or the name of a feature map.
        config: gives width, heads, relative positional encoding and algorithm.
        seed: chooses the random features.
        position_dim: width for each head of position queries and keys.
        longest: rows of the longest sequence, for a bias for each offset; its own if None.
    """
    rpe = config.rpe
    size, heads = config.hidden_size, config.heads
    bias = FreeBias(heads, longest) if rpe == "free" and longest is not None else rpe
    if kind == "softmax":
        return SoftmaxAttention(size, heads, rpe=bias, position_dim=position_dim)
    return KernelizedAttention(
        size,
        heads,
        feature_map=kind,
        n_features=config.n_features,
        rpe=bias,
        algorithm=config.algorithm,
        position_dim=position_dim,
        seed=seed,
    )


class FeedForward(nn.Module):
    """A LayerNorm and two linear layers with a GELU between them, for each row alone."""

    def __init__(self, hidden_size: int, ffn_size: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(hidden_size)
        self.widen = nn.Linear(hidden_size, ffn_size)
        self.narrow = nn.Linear(ffn_size, hidden_size)

    def forward(self, x: Tensor) -> Tensor:
        """Transform rows x (..., H)."""
        narrowed: Tensor = self.narrow(nn.functional.gelu(self.widen(self.norm(x))))
        return narrowed


class TransformerLayer(nn.Module):
    """Attention and feed-forward network, each behind a LayerNorm (pre-LN) and added back."""

    def __init__(self, attention: MultiHeadAttention, config: OscarConfig) -> None:
        super().__init__()
        width = config.hidden_size
        self.attention_norm = nn.LayerNorm(width)
        self.attention = attention
        self.feed_forward = FeedForward(width, config.ffn_size)
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self,
        x: Tensor,
        packing: Packing,
        conditions: Conditions | None = None,
        chosen: Tensor | None = None,
    ) -> Tensor:
        """Transform the rows x (rows, H) of packed sequences.

        Args:
            x: the rows.
            packing: their sequences.
            conditions: positions to attend by.
            chosen: numbers of the rows to give, the rest is only attended to; None: all.
        """
        attended = self._attend(self.attention_norm(x), packing, conditions)
        if chosen is not None:
            x, attended = x.index_select(0, chosen), attended.index_select(0, chosen)
        x = x + self.dropout(self.attention.output(attended))
        x = x + self.dropout(self.feed_forward(x))
        return x

    def _attend(self, x: Tensor, packing: Packing, conditions: Conditions | None) -> Tensor:
        parts = []
        projected = packing.spread(self.attention.projection(x))
        for number, (bucket, part) in enumerate(zip(packing.buckets, projected, strict=True)):
            q, k, v = part.unflatten(-1, (3, self.attention.heads, -1)).unbind(2)
            if conditions is not None:
                queries, keys = conditions[number]
                q, k = torch.cat([q, queries.to(q)], -1), torch.cat([k, keys.to(k)], -1)
            q, k, v = (y.transpose(1, 2) for y in (q, k, v))
            attended = self.attention.attend(q, k, v, bucket.mask)
            parts.append(attended.transpose(1, 2).flatten(2))
        return packing.collect(parts)


class TransformerStack(nn.Module):
    """Layers one after the other, closed by a LayerNorm.

    Attributes:
        checkpointing: whether training keeps only what goes from layer to layer and computes the
            rest again in the backward pass.
    """

    def __init__(self, layers: Sequence[TransformerLayer], hidden_size: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.norm = nn.LayerNorm(hidden_size)
        self.checkpointing = False

    def forward(
        self,
        x: Tensor,
        packing: Packing,
        conditions: Conditions | None = None,
        chosen: Tensor | None = None,
    ) -> Tensor:
        """Transform packed rows (rows, H); the arguments are those of the layers.

        Only the last layer is told what is `chosen`: those before it are attended to.
        """
        for number, layer in enumerate(self.layers, 1):
            wanted = chosen if number == len(self.layers) else None
            if self.checkpointing and self.training:
                x = checkpoint(layer, x, packing, conditions, wanted, use_reentrant=False)
            else:
                x = layer(x, packing, conditions, wanted)
        normed: Tensor = self.norm(x)
        return normed


def token_stack(layers: int, config: OscarConfig) -> TransformerStack:
    """Build the layers over groups of tokens; attention stays within a group."""
    return TransformerStack(
        [
            TransformerLayer(make_attention(config.token_attention, config, layer), config)
            for layer in range(layers)
        ],
        config.hidden_size,
    )
