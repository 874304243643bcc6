"""Binary diffing: find each function of one build among the functions of another."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from finetune.baselines.histogram import opcode_histograms
from finetune.data.stripped import without_names
from finetune.evaluation.similarity import Vectors
from ir_pipeline import Failure, FunctionView, read_functions
from oscar import OscarModel, embed
from static_analysis import OscarError, opcode
from static_analysis.reading.keywords import TERMINATORS

PAIRS = (("O0", "O1"), ("O0", "O3"), ("O1", "O3"), ("O2", "O3"))
"""The pairs of levels that the literature reports (Peng et al., ICML 2021, section 5.1)."""


@dataclass(frozen=True)
class Build:
    """The functions of a program as one compiler made them.

    Attributes:
        functions: in a stable order.
        keys: what each is called, by which it is known in another build; None: it is not known.
    """

    functions: list[FunctionView]
    keys: list[Hashable]

    @classmethod
    def at_level(cls, sources: Sequence[Path], level: str) -> Build:
        """A build of one's own, whose functions are known by unit and name.

        Raises:
            OscarError: nothing of the sources can be lowered.
        """
        functions = read_build(sources, level)
        return cls(functions, [(f.project, f.unit, f.function) for f in functions])


@dataclass(frozen=True)
class Diff:
    """What is asked of two builds.

    Attributes:
        queries: numbers of the functions of the first that the second has too.
        pool: numbers of the functions of the second to choose from.
        right: place in the pool of each query's function (queries,).
    """

    queries: list[int]
    pool: list[int]
    right: np.ndarray


def diff(first: Build, second: Build, least_blocks: int = 1) -> Diff:
    """Match the functions of two builds by their keys.

    Args:
        first: one build.
        second: another.
        least_blocks: leave functions with fewer basic blocks out, of both.
    """
    asked, pool = (
        [row for row, function in enumerate(build.functions) if blocks(function) >= least_blocks]
        for build in (first, second)
    )
    known = {second.keys[row]: place for place, row in enumerate(pool)}
    known.pop(None, None)
    queries = [row for row in asked if first.keys[row] in known]
    return Diff(queries, pool, np.array([known[first.keys[row]] for row in queries], int))


def read_build(sources: Sequence[Path], level: str) -> list[FunctionView]:
    """All functions of the sources at one optimisation level, in order.

    Raises:
        OscarError: nothing of them can be lowered.
    """
    rows = list(read_functions(sources, views=[level]))
    functions = [row for row in rows if not isinstance(row, Failure)]
    if not functions:
        failed = [row for row in rows if isinstance(row, Failure)]
        said = f": {failed[0].unit}: {failed[0].message}" if failed else ""
        raise OscarError(f"no function of {', '.join(map(str, sources))} at {level}{said}")
    return functions


def blocks(function: FunctionView) -> int:
    """Number of basic blocks: each ends in one terminator."""
    return sum(opcode(tokens) in TERMINATORS for tokens in function.tokens)


def build_vectors(
    builds: Sequence[Build], model: OscarModel | None, keep_names: bool
) -> list[Vectors]:
    """The vectors of the functions of each build (functions, dim).

    Args:
        builds: any number.
        model: with its tokenizer; None: square roots of opcode counts.
        keep_names: whether the model reads names of functions, globals and types.
    """
    functions = [function for build in builds for function in build.functions]
    vectors = function_vectors(functions, model, keep_names)
    stops = np.cumsum([len(build.functions) for build in builds])
    return [vectors[stop - len(b.functions) : stop] for b, stop in zip(builds, stops, strict=True)]


def function_vectors(
    functions: Sequence[FunctionView], model: OscarModel | None, keep_names: bool
) -> Vectors:
    """A vector for each function (functions, dim), as `build_vectors` gives them.

    Raises:
        OscarError: the model has no tokenizer.
    """
    if model is None:
        return opcode_histograms([function] for function in functions)
    if model.tokenizer is None:
        raise OscarError("this model carries no tokenizer")
    tokenizer = model.tokenizer if keep_names else without_names(model.tokenizer)
    return embed(model, functions, tokenizer).vectors
