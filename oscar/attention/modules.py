"""Multi-head attention layers, kernelised and softmax, that can stand in for each other."""

from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from oscar.attention.choices import check_choice
from oscar.attention.features import make_feature_map
from oscar.attention.functional import ALGORITHMS, kernelized_attention
from oscar.attention.rpe import RelativeBias, make_relative_bias
from oscar.attention.toeplitz import log_coefficients, toeplitz_rows
from static_analysis.errors import OscarError


class MultiHeadAttention(nn.Module, ABC):
    """Projections to and from heads around an attention that a subclass defines.

    Args:
        dim: width of the input and output.
        heads: number of heads; divides `dim`.
        position_dim: width, for each head, of the position queries and keys given to `forward`.

    Raises:
        OscarError: `heads` does not divide `dim`.
    """

    def __init__(self, dim: int, heads: int, position_dim: int) -> None:
        super().__init__()
        if heads < 1 or dim % heads:
            raise OscarError(f"dim {dim} does not split into {heads} heads: choose a divisor")
        self.heads = heads
        self.key_dim = dim // heads + position_dim
        self.projection = nn.Linear(dim, 3 * dim)
        self.output = nn.Linear(dim, dim)

    def forward(
        self,
        x: Tensor,
        mask: Tensor | None = None,
        position_queries: Tensor | None = None,
        position_keys: Tensor | None = None,
    ) -> Tensor:
        """Attend over a batch of sequences.

        Args:
            x: (batch, n, dim).
            mask: (batch, n), True where real.
            position_queries: (batch, heads, n, position_dim), joined to the queries: the logit
                becomes [q; p]ᵀ[k; r] = qᵀk + pᵀr before its scaling.
            position_keys: the same for the keys.

        Returns:
            (batch, n, dim).
        """
        q, k, v = (self._split(part) for part in self.projection(x).chunk(3, dim=-1))
        if position_queries is not None and position_keys is not None:
            q = torch.cat([q, position_queries.to(q.dtype)], dim=-1)
            k = torch.cat([k, position_keys.to(k.dtype)], dim=-1)
        attended = self.attend(q, k, v, mask)
        result: Tensor = self.output(attended.transpose(1, 2).flatten(2))
        return result

    @abstractmethod
    def attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        """Attend with q, k (batch, heads, n, key_dim) and v (batch, heads, n, dim/heads)."""

    def _split(self, x: Tensor) -> Tensor:
        batch, n, width = x.shape
        return x.reshape(batch, n, self.heads, width // self.heads).transpose(1, 2)


class KernelizedAttention(MultiHeadAttention):
    """Attention with weights c_{j-i} φ(q_i)ᵀ φ(k_j) (Luo et al., NeurIPS 2021).

    Args:
        dim: width of the input and output.
        heads: number of heads; divides `dim`.
        feature_map: name of the feature map: nprf, favor+, hyperbolic, trig or relu.
        n_features: m, features of a query or key.
        rpe: relative positional encoding: t5, clipped, free, None, or a RelativeBias.
        causal: whether a query sees only itself and what comes before.
        algorithm: auto, dense or reference_fft.
        position_dim: width for each head of position queries and keys, 0 for none.
        seed: chooses the random features, which are saved with the weights.

    Raises:
        OscarError: one of the names is unknown, or `heads` does not divide `dim`.
    """

    def __init__(
        self,
        dim: int,
        heads: int,
        *,
        feature_map: str = "nprf",
        n_features: int = 64,
        rpe: str | RelativeBias | None = "t5",
        causal: bool = False,
        algorithm: str = "auto",
        position_dim: int = 0,
        seed: int = 0,
    ) -> None:
        super().__init__(dim, heads, position_dim)
        check_choice("algorithm", algorithm, ALGORITHMS)
        self.feature_map = make_feature_map(feature_map, self.key_dim, n_features, seed)
        self.rpe = make_relative_bias(rpe, heads, causal)
        self.causal = causal
        self.algorithm = algorithm

    def attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        """Attend through the feature map."""
        return kernelized_attention(
            q,
            k,
            v,
            feature_map=self.feature_map,
            rpe=self.rpe,
            mask=mask,
            causal=self.causal,
            algorithm=self.algorithm,
        )


class SoftmaxAttention(MultiHeadAttention):
    """Attention with weights exp(qᵀk / √d + b_{j-i}), by torch's scaled dot product.

    It takes the arguments of KernelizedAttention, so that one can stand in for the other;
    `feature_map`, `n_features`, `algorithm` and `seed` mean nothing to it. The kernelised layer
    with favor+ features estimates exactly this one.
    """

    def __init__(
        self,
        dim: int,
        heads: int,
        *,
        feature_map: str = "nprf",
        n_features: int = 64,
        rpe: str | RelativeBias | None = "t5",
        causal: bool = False,
        algorithm: str = "auto",
        position_dim: int = 0,
        seed: int = 0,
    ) -> None:
        super().__init__(dim, heads, position_dim)
        self.rpe = make_relative_bias(rpe, heads, causal)
        self.causal = causal

    def attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        """Attend through the softmax; a query that sees no real key gives zero."""
        n = q.shape[2]
        logits = toeplitz_rows(log_coefficients(self.rpe, self.heads, n, self.causal, q), 0, n)
        if mask is None:
            return F.scaled_dot_product_attention(q, k, v, attn_mask=logits[None])
        # The lowest finite number, not -inf: a softmax over nothing but -inf is NaN.
        lowest = torch.finfo(q.dtype).min
        logits = logits.masked_fill(~mask[:, None, None, :], lowest)
        attended = F.scaled_dot_product_attention(q, k, v, attn_mask=logits)
        return attended * (logits > lowest).any(-1, keepdim=True)
