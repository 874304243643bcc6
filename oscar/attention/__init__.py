"""Attention with a kernel in place of the softmax and relative positions in Toeplitz form.

The package stands on its own: it needs torch and nothing else of OSCAR but its error class.
"""

from oscar.attention.cls import ClsBias
from oscar.attention.feature_map import FeatureMap
from oscar.attention.features import FEATURE_MAPS, make_feature_map
from oscar.attention.functional import ALGORITHMS, kernelized_attention
from oscar.attention.generalised_features import GeneralisedFeatures
from oscar.attention.grid import GridBias
from oscar.attention.modules import KernelizedAttention, SoftmaxAttention
from oscar.attention.packed import kernelized_attention_packed
from oscar.attention.parametric_bias import AlibiBias, KerpleLogBias, KerplePowerBias
from oscar.attention.relative_bias import ClippedBias, FreeBias, RelativeBias, T5Bias
from oscar.attention.rpe import RELATIVE_BIASES, make_relative_bias

__all__ = [
    "ALGORITHMS",
    "FEATURE_MAPS",
    "RELATIVE_BIASES",
    "AlibiBias",
    "ClippedBias",
    "ClsBias",
    "FeatureMap",
    "FreeBias",
    "GeneralisedFeatures",
    "GridBias",
    "KernelizedAttention",
    "KerpleLogBias",
    "KerplePowerBias",
    "RelativeBias",
    "SoftmaxAttention",
    "T5Bias",
    "kernelized_attention",
    "kernelized_attention_packed",
    "make_feature_map",
    "make_relative_bias",
]
