"""Programs as a model sees them: functions embedded, composed, averaged over views."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection as Names
from collections.abc import Iterator, Sequence

import numpy as np
import torch

from finetune.composition import Weights, compose, reachable
from finetune.data.programs import Collection, Program
from ir_pipeline import FunctionView
from oscar.embedding import embed, unit_length
from oscar.model import OscarModel


def program_vectors(
    model: OscarModel,
    collection: Collection,
    views: Names[str] | None = None,
    weights: Weights = reachable,
) -> tuple[list[Program], np.ndarray]:
    """One vector for every lowered program: the mean over views of what its functions compose to.

    Averaging over views takes out what an optimisation level happens to do to a program. A view
    of a program that repeats an earlier one is not in the corpus, and counts once.

    Args:
        model: with its tokenizer.
        collection: programs with their corpus.
        views: of the corpus; default: all that it has.
        weights: how much each function counts.

    Returns:
        The programs, and their vectors (programs, dim) of unit length.
    """
    programs, (table,) = composed_vectors(model, collection, [weights], views)
    return programs, table


def composed_vectors(
    model: OscarModel,
    collection: Collection,
    compositions: Sequence[Weights],
    views: Names[str] | None = None,
) -> tuple[list[Program], list[np.ndarray]]:
    """The `program_vectors` of several compositions; each function is embedded once."""
    parts = _Parts(collection, views, compositions)
    vectors = unit_length(embed(model, parts).vectors)
    tables = [np.zeros((len(parts.programs), vectors.shape[1])) for _ in compositions]
    for program, rows, counts in parts.groups:
        for table, weights in zip(tables, counts, strict=True):
            table[program] += unit_length(compose(vectors[rows], weights)[None])[0]
    return parts.programs, [unit_length(table) for table in tables]


def untrained(model: OscarModel, seed: int = 0) -> OscarModel:
    """A model of the same shape and tokenizer as it was before its first step."""
    torch.manual_seed(seed)
    fresh = OscarModel(model.config)
    fresh.tokenizer = model.tokenizer
    return fresh


class _Parts:
    """The rows to embed, and, once they are read, which of them make up what.

    Attributes:
        programs: in the order of the corpus.
        groups: number of the program, rows, and weights of the functions of one of its views, for
            each composition.
    """

    def __init__(
        self, collection: Collection, views: Names[str] | None, compositions: Sequence[Weights]
    ) -> None:
        self._collection, self._compositions = collection, compositions
        self._views = set(collection.corpus.views if views is None else views)
        self.programs: list[Program] = []
        self.groups: list[tuple[int, slice, list[np.ndarray]]] = []

    def __iter__(self) -> Iterator[FunctionView]:
        read = 0
        for program, rows in self._collection.rows():
            by_view: dict[str, list[FunctionView]] = defaultdict(list)
            for row in rows:
                if row.view in self._views:
                    by_view[row.view].append(row)
            self.programs.append(program)
            for functions in by_view.values():
                stop = read + len(functions)
                weights = [composition(functions) for composition in self._compositions]
                self.groups.append((len(self.programs) - 1, slice(read, stop), weights))
                read = stop
                yield from functions
