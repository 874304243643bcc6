"""Algorithm classification: which problem does a program solve? The split, and a linear probe."""

from __future__ import annotations

from collections import Counter
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
from static_analysis import OscarError

STRENGTHS = (0.01, 0.1, 1.0, 10.0)
"""Inverse regularisation of the probe, chosen on validation programs."""
LEAST_OF_A_LABEL = 5
"""With fewer programs, 20 % are none."""


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
            OscarError: there are fewer than two labels, or one has too few programs to be in all
                three parts.
        """
        _check_labels(programs)
        labels = [program.label for program in programs]
        train, rest = train_test_split(programs, train_size=0.6, stratify=labels, random_state=seed)
        labels = [program.label for program in rest]
        validation, test = train_test_split(
            rest, train_size=0.5, stratify=labels, random_state=seed
        )
        return cls(train, validation, test)


def _check_labels(programs: Sequence[Program]) -> None:
    counts = Counter(program.label for program in programs)
    if len(counts) < 2:
        raise OscarError("all programs have one label: give programs of two problems or more")
    label, fewest = min(counts.items(), key=lambda item: item[1])
    if fewest < LEAST_OF_A_LABEL:
        raise OscarError(
            f"label {label!r} has {fewest} programs: {LEAST_OF_A_LABEL} or more of each label are "
            "needed to learn from some, choose by others and judge by the rest"
        )


def probe(split: Split, programs: Sequence[Program], vectors: Vectors) -> Classification:
    """Learn a linear classifier on frozen vectors and judge it on the test programs.

    Programs without a vector cannot be learned from; in the test they count as errors.

    Args:
        split: of all programs.
        programs: those that have a vector.
        vectors: of these (programs, dim).

    Raises:
        OscarError: too few have one to learn from or to choose by.
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
    check_readable(labels.tolist(), truth.tolist())
    models = [_classifier(strength).fit(vectors[rows], labels) for strength in STRENGTHS]
    return max(models, key=lambda model: float(model.score(vectors[check], truth)))


def check_readable(learned: Sequence[str], chosen_by: Sequence[str]) -> None:
    """Accept the labels of the programs that can be read, to learn from and to choose by.

    Raises:
        OscarError: they are too few.
    """
    if len(set(learned)) < 2 or not len(chosen_by):
        raise OscarError(
            f"only {len(learned)} programs of {len(set(learned))} labels to learn from and "
            f"{len(chosen_by)} to choose by can be read: see errors.parquet in their corpus"
        )


def _known(programs: Sequence[Program], place: dict[str, int]) -> tuple[list[int], np.ndarray]:
    kept = [program for program in programs if program.name in place]
    return [place[program.name] for program in kept], np.array([p.label for p in kept])


def _classifier(strength: float) -> Pipeline:
    return make_pipeline(
        StandardScaler(with_mean=False), LogisticRegression(C=strength, max_iter=300)
    )
