"""Algorithm classification: which problem does a program solve? A linear probe, error in %."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from finetune.data.programs import Program
from finetune.evaluation.classification import Classification, evaluate_classification
from finetune.evaluation.similarity import Vectors

STRENGTHS = (0.01, 0.1, 1.0, 10.0)
"""Inverse regularisation of the probe, chosen on validation programs."""


@dataclass(frozen=True)
class Split:
    """Programs to learn from, to choose by, and to judge by: 60, 20 and 20 % of each label."""

    train: list[Program]
    validation: list[Program]
    test: list[Program]

    @classmethod
    def of(cls, programs: Sequence[Program], seed: int) -> Split:
        """The split of a seed.

        Raises:
            ValueError: a label has too few programs to be in all three parts.
        """
        labels = [program.label for program in programs]
        train, rest = train_test_split(programs, train_size=0.6, stratify=labels, random_state=seed)
        labels = [program.label for program in rest]
        validation, test = train_test_split(
            rest, train_size=0.5, stratify=labels, random_state=seed
        )
        return cls(train, validation, test)


def probe(split: Split, programs: Sequence[Program], vectors: Vectors) -> Classification:
    """Learn a linear classifier on frozen vectors and judge it on the test programs.

    Programs without a vector cannot be learned from; in the test they count as errors.

    Args:
        split: of all programs.
        programs: those that have a vector.
        vectors: of these (programs, dim).
    """
    place = {program.name: row for row, program in enumerate(programs)}
    model = _best(split, place, vectors)
    known = [place[program.name] for program in split.test if program.name in place]
    predicted = iter(model.predict(vectors[known])) if known else iter(())
    called = [next(predicted) if program.name in place else None for program in split.test]
    return evaluate_classification([program.label for program in split.test], called)


def _best(split: Split, place: dict[str, int], vectors: Vectors) -> Pipeline:
    """The probe whose regularisation does best on the validation programs."""
    rows, labels = _known(split.train, place)
    check, truth = _known(split.validation, place)
    models = [_classifier(strength).fit(vectors[rows], labels) for strength in STRENGTHS]
    return max(models, key=lambda model: float(model.score(vectors[check], truth)))


def _known(programs: Sequence[Program], place: dict[str, int]) -> tuple[list[int], np.ndarray]:
    kept = [program for program in programs if program.name in place]
    return [place[program.name] for program in kept], np.array([p.label for p in kept])


def _classifier(strength: float) -> Pipeline:
    return make_pipeline(
        StandardScaler(with_mean=False), LogisticRegression(C=strength, max_iter=300)
    )
