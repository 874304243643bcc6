"""Attention with a kernel in place of the softmax and relative positions in Toeplitz form.

The package stands on its own: it needs torch and nothing else of OSCAR but its error class.
"""

from oscar.attention.features import FEATURE_MAPS, FeatureMap, make_feature_map
from oscar.attention.functional import ALGORITHMS, kernelized_attention
from oscar.attention.modules import KernelizedAttention, SoftmaxAttention
from oscar.attention.rpe import (
    RELATIVE_BIASES,
    ClippedBias,
    FreeBias,
    RelativeBias,
    T5Bias,
    make_relative_bias,
)

__all__ = [
    "ALGORITHMS",
    "FEATURE_MAPS",
    "RELATIVE_BIASES",
    "ClippedBias",
    "FeatureMap",
    "FreeBias",
    "KernelizedAttention",
    "RelativeBias",
    "SoftmaxAttention",
    "T5Bias",
    "kernelized_attention",
    "make_feature_map",
    "make_relative_bias",
]
