"""Which of the classes is it? Error rate and macro F1."""

from collections.abc import Sequence
from dataclasses import dataclass

from sklearn.metrics import accuracy_score, f1_score


@dataclass(frozen=True, slots=True)
class Classification:
    """Figures of a classification (0 … 1).

    Attributes:
        error: share of items given a wrong class.
        macro_f1: mean over the classes of their F1.
        items: how many were classified.
        classes: how many classes they are of.
    """

    error: float
    macro_f1: float
    items: int
    classes: int


def evaluate_classification(true: Sequence[str], predicted: Sequence[str | None]) -> Classification:
    """Compare classes with predictions; None, no prediction at all, is wrong.

    Raises:
        ValueError: the two have different lengths, or there is nothing to compare.
    """
    if len(true) != len(predicted) or not true:
        raise ValueError(f"{len(predicted)} predictions for {len(true)} items")
    called = ["" if name is None else name for name in predicted]
    classes = sorted(set(true))
    return Classification(
        error=1 - float(accuracy_score(true, called)),
        macro_f1=float(f1_score(true, called, labels=classes, average="macro", zero_division=0)),
        items=len(true),
        classes=len(classes),
    )
