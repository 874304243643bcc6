"""Multi-head attention layers, kernelised and softmax, that can stand in for each other."""

from copy import deepcopy
from typing import Any, Self

from torch import Tensor

from oscar.attention.choices import check_choice
from oscar.attention.feature_map import FeatureMap
from oscar.attention.features import make_feature_map
from oscar.attention.functional import ALGORITHMS, kernelized_attention
from oscar.attention.multi_head import MultiHeadAttention
from oscar.attention.packed import kernelized_attention_packed
from oscar.attention.relative_bias import RelativeBias
from oscar.attention.softmax import softmax_attention
from static_analysis.errors import OscarError


class KernelizedAttention(MultiHeadAttention):
    """Attention with weights c_{j-i} φ(q_i)ᵀ φ(k_j) (Luo et al., NeurIPS 2021).

    Args:
        dim: width of the input and output.
        heads: number of heads; divides `dim`.
        feature_map: a name of FEATURE_MAPS, or a FeatureMap for keys of `dim / heads +
            position_dim`, with other directions or a schedule of redrawing.
        n_features: m, features of a query or key; a ready-made FeatureMap has its own.
        rpe: a name of RELATIVE_BIASES, None, or a RelativeBias.
        causal: whether a query sees only itself and what comes before.
        algorithm: a name of ALGORITHMS; all give the same numbers.
        position_dim: width for each head of position queries and keys, 0 for none.
        seed: chooses the random features, which are saved with the weights.

    Raises:
        OscarError: a name is unknown, `heads` does not divide `dim`, or the FeatureMap is for
            another width.
    """

    def __init__(
        self,
        dim: int,
        heads: int,
        *,
        feature_map: str | FeatureMap = "nprf",
        n_features: int = 64,
        rpe: str | RelativeBias | None = "t5",
        causal: bool = False,
        algorithm: str = "auto",
        position_dim: int = 0,
        seed: int = 0,
    ) -> None:
        super().__init__(dim, heads, rpe, causal, position_dim)
        check_choice("algorithm", algorithm, ALGORITHMS)
        if isinstance(feature_map, str):
            feature_map = make_feature_map(feature_map, self.key_dim, n_features, seed)
        if feature_map.dim != self.key_dim:
            raise OscarError(
                f"the feature map is for keys of width {feature_map.dim}, those of this layer "
                f"have {self.key_dim}: build it with that width"
            )
        self.feature_map = feature_map
        self.algorithm = algorithm

    @classmethod
    def from_softmax(cls, softmax: "SoftmaxAttention", **options: Any) -> Self:
        """Build a layer that estimates a softmax attention, with a copy of its weights.

        Args:
            softmax: the layer to estimate; a kernelised copy has the same names of weights.
            options: `feature_map`, "favor+" unless given, `n_features`, `algorithm`, `seed`.
        """
        layer = cls(
            softmax.dim,
            softmax.heads,
            rpe=deepcopy(softmax.rpe),
            causal=softmax.causal,
            position_dim=softmax.position_dim,
            **{"feature_map": "favor+", **options},
        )
        layer.to(softmax.output.weight).load_state_dict(softmax.state_dict(), strict=False)
        return layer.train(softmax.training)

    def attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        """Attend through the feature map."""
        self.feature_map.step()
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

    def attend_packed(self, q: Tensor, k: Tensor, v: Tensor, cu_seqlens: Tensor) -> Tensor:
        """Attend through the feature map, within each sequence."""
        self.feature_map.step()
        result: Tensor = kernelized_attention_packed(
            q,
            k,
            v,
            cu_seqlens,
            feature_map=self.feature_map,
            rpe=self.rpe,
            causal=self.causal,
            algorithm=self.algorithm,
        )
        return result


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
        feature_map: str | FeatureMap = "nprf",
        n_features: int = 64,
        rpe: str | RelativeBias | None = "t5",
        causal: bool = False,
        algorithm: str = "auto",
        position_dim: int = 0,
        seed: int = 0,
    ) -> None:
        super().__init__(dim, heads, rpe, causal, position_dim)

    def attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        """Attend through the softmax; a query that sees no real key gives zero."""
        return softmax_attention(q, k, v, rpe=self.rpe, mask=mask, causal=self.causal)
