"""The Transformer layer of all encoders, and a stack of them for groups of tokens."""

import torch
from torch import Tensor, nn

from oscar.attention import SoftmaxAttention
from oscar.attention.modules import MultiHeadAttention
from oscar.config import OscarConfig

LENGTH_CLASSES = 4  # sets of groups of similar length that are padded separately


class TransformerLayer(nn.Module):
    """Attention and feed-forward network, each behind a LayerNorm (pre-LN) and added back."""

    def __init__(self, attention: MultiHeadAttention, config: OscarConfig) -> None:
        super().__init__()
        width = config.hidden_size
        self.attention_norm = nn.LayerNorm(width)
        self.attention = attention
        self.feed_forward = nn.Sequential(
            nn.LayerNorm(width),
            nn.Linear(width, config.ffn_size),
            nn.GELU(),
            nn.Linear(config.ffn_size, width),
        )
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self,
        x: Tensor,
        mask: Tensor,
        position_queries: Tensor | None = None,
        position_keys: Tensor | None = None,
    ) -> Tensor:
        """Transform x (batch, n, H), with mask (batch, n) True where real."""
        attended = self.attention(self.attention_norm(x), mask, position_queries, position_keys)
        x = x + self.dropout(attended)
        x = x + self.dropout(self.feed_forward(x))
        return x


class TokenLayers(nn.Module):
    """Layers over groups of tokens, closed by a LayerNorm; attention stays within a group."""

    def __init__(self, layers: int, config: OscarConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            TransformerLayer(
                SoftmaxAttention(config.hidden_size, config.heads, rpe=config.rpe), config
            )
            for _ in range(layers)
        )
        self.norm = nn.LayerNorm(config.hidden_size)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Transform x (groups, T, H), with mask (groups, T) True where real; zero where padded.

        Real tokens come first in each group. Groups of similar length go through the layers
        together, without the padding that the longest group of the batch brings; the number of
        passes is always the same, as ranks that share their parameters need it.
        """
        lengths = mask.sum(1)
        order = lengths.argsort(stable=True)
        parts = []
        sizes = [len(chosen) for chosen in order.tensor_split(LENGTH_CLASSES)]
        for part, real in zip(x[order].split(sizes), mask[order].split(sizes), strict=True):
            width = max(1, int(real[-1:].sum()))
            states = self._run(part[:, :width], real[:, :width])
            parts.append(nn.functional.pad(states, (0, 0, 0, x.shape[1] - width)))
        return torch.cat(parts)[order.argsort()]

    def _run(self, x: Tensor, mask: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x, mask)
        normed: Tensor = self.norm(x)
        return normed * mask[..., None]
