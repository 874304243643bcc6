"""The Transformer layer of all encoders, and how sequences of many lengths go through a stack."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from oscar.attention import KernelizedAttention, SoftmaxAttention
from oscar.attention.modules import MultiHeadAttention
from oscar.config import OscarConfig

LENGTH_CLASSES = 4  # sets of sequences of similar length that are padded separately


def make_attention(
    kind: str, config: OscarConfig, seed: int, position_dim: int = 0
) -> MultiHeadAttention:
    """Build a layer's attention by the name of its kind, with random features of its own.

    Args:
        kind: "kernelized" or "softmax".
        config: gives width, heads, feature map and relative positional encoding.
        seed: chooses the random features.
        position_dim: width for each head of position queries and keys.
    """
    kinds = {"kernelized": KernelizedAttention, "softmax": SoftmaxAttention}
    attention: MultiHeadAttention = kinds[kind](
        config.hidden_size,
        config.heads,
        feature_map=config.feature_map,
        n_features=config.n_features,
        rpe=config.rpe,
        position_dim=position_dim,
        seed=seed,
    )
    return attention


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
            TransformerLayer(make_attention(config.token_attention, config, layer), config)
            for layer in range(layers)
        )
        self.norm = nn.LayerNorm(config.hidden_size)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Transform x (groups, T, H), with mask (groups, T) True where real; zero where padded."""
        return by_length(self._run, mask, x)

    def _run(self, mask: Tensor, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x, mask)
        normed: Tensor = self.norm(x)
        return normed


def by_length(run: Callable[..., Tensor], mask: Tensor, *inputs: Tensor) -> Tensor:
    """Run sequences of similar length together, spared the padding of the longest of all.

    `run` is called `LENGTH_CLASSES` times, with empty inputs if need be: processes that train
    together expect the same gradients of each other, whatever their batches.

    Args:
        run: function of a mask and inputs like those below that gives a tensor (batch, n, H).
        mask: (batch, n), True where real; what is real comes first.
        inputs: tensors (batch, n, ...).

    Returns:
        What one call of `run` would give, and zero where padded: (batch, n, H).
    """
    order = mask.sum(1).argsort(stable=True)
    sizes = [len(chosen) for chosen in order.tensor_split(LENGTH_CLASSES)]
    results = []
    for real, *parts in zip(*(x[order].split(sizes) for x in (mask, *inputs)), strict=True):
        width = max(1, int(real[-1:].sum()))
        real = real[:, :width]
        states = run(real, *(part[:, :width] for part in parts)) * real[..., None]
        results.append(nn.functional.pad(states, (0, 0, 0, mask.shape[1] - width)))
    return torch.cat(results)[order.argsort()]
