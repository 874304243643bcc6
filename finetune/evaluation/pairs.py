"""Is this pair of programs a pair of clones? Precision, recall and F1 at a chosen threshold."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.metrics import precision_recall_curve, precision_recall_fscore_support

from finetune.evaluation.similarity import Vectors, cosines

PAIRS_PER_ITEM = 50
"""How many partners of each item are judged, drawn at random among all others."""


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


def evaluate_clone_pairs(
    vectors: Vectors, labels: Sequence[str], seed: int = 0
) -> PairClassification | None:
    """Tell pairs of one label from others by their cosine.

    The threshold is chosen on half of the labels, by hash, and judged on the other half: a pair
    has both items in one half. None where a half has no pair of one label.

    Args:
        vectors: a row an item.
        labels: of the items.
        seed: of the pairs drawn.
    """
    kinds = np.asarray(labels)
    half = np.array([_half(label) for label in labels])
    similarities, true, halves = _drawn_pairs(vectors, kinds, half, seed)
    validation, test = halves == 0, halves == 1
    if not (true[validation].any() and true[test].any()):
        return None
    threshold = best_threshold(similarities[validation], true[validation])
    return evaluate_pairs(similarities[test], true[test], threshold)


def _drawn_pairs(
    vectors: Vectors, kinds: np.ndarray, half: np.ndarray, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cosine, whether the labels are equal, and the half, of drawn pairs within the halves."""
    generator = np.random.default_rng(seed)
    parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    for start, scores in cosines(vectors):
        own = np.arange(start, start + len(scores))[:, None]
        partners = generator.integers(0, len(kinds), (len(scores), PAIRS_PER_ITEM))
        kept = (half[own] == half[partners]) & (own != partners)
        drawn = np.take_along_axis(scores, partners, axis=1)
        equal = kinds[own] == kinds[partners]
        where = np.broadcast_to(half[own], partners.shape)
        parts.append((drawn[kept], equal[kept], where[kept]))
    first, second, third = (np.concatenate(column) for column in zip(*parts, strict=True))
    return first, second, third


def _half(label: str) -> int:
    return hashlib.blake2b(label.encode()).digest()[0] % 2
