"""Who is judged: every baseline, an untrained model, and the models named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from finetune.baselines.table import LEARNED, UNLEARNED, Baseline, baseline_vectors
from finetune.composition import Weights, reachable
from finetune.data.programs import Collection, Program
from finetune.evaluation.similarity import Vectors
from finetune.representation import program_vectors, untrained
from oscar import OscarModel

UNTRAINED = "OSCAR, untrained"


@dataclass(frozen=True)
class Representation:
    """A named way to turn programs into vectors.

    Attributes:
        name: what it is.
        programs: those it can read.
        vectors: of these (programs, dim).
    """

    name: str
    programs: list[Program]
    vectors: Vectors


def baseline_representations(
    pool: Collection, train: Collection | None, seed: int = 0
) -> Iterator[Representation]:
    """Every baseline; those that learn only where there is something to learn from."""
    named: dict[str, Baseline] = UNLEARNED if train is None else UNLEARNED | LEARNED
    for name, baseline in named.items():
        yield Representation(name, *baseline_vectors(baseline, pool, train, seed))


def model_representations(
    pool: Collection,
    models: Mapping[str, OscarModel],
    weights: Weights = reachable,
    seed: int = 0,
) -> Iterator[Representation]:
    """Every model, after one of the first's shape that has learned nothing."""
    if models:
        fresh = untrained(next(iter(models.values())), seed)
        yield Representation(UNTRAINED, *program_vectors(fresh, pool, weights=weights))
    for name, model in models.items():
        yield Representation(name, *program_vectors(model, pool, weights=weights))
