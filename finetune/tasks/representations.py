"""Who is judged: every baseline, an untrained model, and the models named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from finetune.baselines.ir2vec import ir2vec_vectors
from finetune.baselines.table import LEARNED, UNLEARNED, baseline_vectors, read_words
from finetune.baselines.vectors import discriminated, whitened
from finetune.composition import COMPOSITIONS
from finetune.data.programs import Collection, Program
from finetune.evaluation.similarity import Vectors
from finetune.representation import composed_vectors, untrained
from oscar import OscarModel

UNTRAINED = "OSCAR, untrained"
DEFAULT = ("reachable",)
"""How functions make up a program unless something else is asked for."""


@dataclass(frozen=True)
class Representation:
    """A named way to turn programs into vectors.

    Attributes:
        name: what it is.
        programs: those it can read.
        vectors: of these (programs, dim).
        model: folder of the model it is of; None: a baseline.
    """

    name: str
    programs: list[Program]
    vectors: Vectors
    model: str | None = None


def load_models(folders: Sequence[Path] | None) -> dict[str, OscarModel]:
    """The models of some folders, by the folder's name."""
    return {str(path): OscarModel.from_pretrained(path) for path in folders or ()}


def with_untrained(models: Mapping[str, OscarModel], seed: int = 0) -> dict[str, OscarModel]:
    """The models, after one of the first's shape that has learned nothing."""
    if not models:
        return {}
    return {UNTRAINED: untrained(next(iter(models.values())), seed), **models}


def baseline_representations(
    pool: Collection, train: Collection | None, seed: int = 0
) -> Iterator[Representation]:
    """Every baseline; those that learn only where there is something to learn from."""
    named = UNLEARNED if train is None else UNLEARNED | LEARNED
    asked = read_words(pool, named.values())
    known = {} if train is None else read_words(train, LEARNED.values())
    for name, baseline in named.items():
        read = asked[baseline.words]
        vectors = baseline_vectors(baseline, read, known.get(baseline.words), seed)
        yield Representation(name, read.programs, vectors)


def ir2vec_representations(pool: Collection) -> Iterator[Representation]:
    """IR2Vec, raw and whitened, if it can read any program."""
    programs, vectors = ir2vec_vectors(pool)
    if len(programs) > 1:
        yield from _projected(Representation("IR2Vec", programs, vectors), None)


def model_representations(
    pool: Collection,
    models: Mapping[str, OscarModel],
    compositions: Sequence[str] = DEFAULT,
    seed: int = 0,
) -> Iterator[Representation]:
    """Every model, after one of the first's shape that has learned nothing.

    Args:
        pool: programs to represent.
        models: by folder.
        compositions: names of ways to make a program of functions, a representation each.
        seed: of untrained weights.
    """
    for name, model in with_untrained(models, seed).items():
        weights = [COMPOSITIONS[composition] for composition in compositions]
        programs, tables = composed_vectors(model, pool, weights)
        folder = name if name in models else None
        for composition, table in zip(compositions, tables, strict=True):
            title = name if len(compositions) == 1 else f"{name}, {composition}"
            yield Representation(title, programs, table, folder)


def projected_representations(
    pool: Collection,
    train: Collection | None,
    models: Mapping[str, OscarModel],
    compositions: Sequence[str] = DEFAULT,
    seed: int = 0,
) -> Iterator[Representation]:
    """The `model_representations`, each as it is and behind linear projections.

    Args:
        pool: programs to represent.
        train: labelled programs of other problems, for the projection that is learned; None:
            whitening only, which takes no labels.
        models: by folder.
        compositions: names of ways to make a program of functions.
        seed: of untrained weights.
    """
    answers = model_representations(pool, models, compositions, seed)
    if train is None:
        for answer in answers:
            yield from _projected(answer, None)
        return
    learned = model_representations(train, models, compositions, seed)
    for answer, known in zip(answers, learned, strict=True):
        yield from _projected(answer, known)


def _projected(answer: Representation, train: Representation | None) -> Iterator[Representation]:
    """A dense representation raw, whitened, and along directions that labels of others tell."""
    vectors = np.asarray(answer.vectors)
    yield answer
    yield replace(answer, name=f"{answer.name}, whitened", vectors=whitened(vectors))
    if train is not None:
        labels = [program.label for program in train.programs]
        learned = discriminated(np.asarray(train.vectors), labels, vectors)
        yield replace(answer, name=f"{answer.name}, LDA", vectors=learned)
