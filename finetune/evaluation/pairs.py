"""Is this pair of programs a pair of clones? Precision, recall and F1 at a chosen threshold."""

from dataclasses import dataclass

import numpy as np
from sklearn.metrics import precision_recall_curve, precision_recall_fscore_support


@dataclass(frozen=True, slots=True)
class PairClassification:
    """Figures of a decision about pairs (0 … 1, higher is better).

    Attributes:
        precision: share of true pairs among those called so.
        recall: share of the true pairs that are called so.
        f1: harmonic mean of the two.
        threshold: similarity from which on a pair is called true.
        pairs: how many were judged.
    """

    precision: float
    recall: float
    f1: float
    threshold: float
    pairs: int


def best_threshold(similarities: np.ndarray, true: np.ndarray) -> float:
    """The similarity that as a threshold gives the highest F1 on these pairs.

    Choose it on validation pairs and report on others.

    Args:
        similarities: (pairs,).
        true: (pairs,) booleans.
    """
    precision, recall, thresholds = precision_recall_curve(true, similarities)
    f1 = 2 * precision * recall / np.maximum(precision + recall, 1e-12)
    return float(thresholds[f1[:-1].argmax()])


def evaluate_pairs(
    similarities: np.ndarray, true: np.ndarray, threshold: float
) -> PairClassification:
    """Call pairs at least as similar as `threshold` true, and compare."""
    called = similarities >= threshold
    precision, recall, f1, _ = precision_recall_fscore_support(
        true, called, average="binary", zero_division=0
    )
    return PairClassification(float(precision), float(recall), float(f1), threshold, len(true))
