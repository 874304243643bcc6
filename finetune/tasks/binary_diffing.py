"""Binary diffing: find each function of one build among the functions of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from finetune.baselines.histogram import opcode_histograms
from finetune.evaluation.similarity import Vectors
from ir_pipeline import Failure, FunctionView, read_functions
from oscar import OscarModel, embed
from static_analysis import OscarError, opcode
from static_analysis.reading.keywords import TERMINATORS

PAIRS = (("O0", "O1"), ("O0", "O3"), ("O1", "O3"), ("O2", "O3"))
"""The pairs of levels that the literature reports (Peng et al., ICML 2021, section 5.1)."""


@dataclass(frozen=True)
class Diff:
    """Two builds of the same functions, row i of one being row i of the other.

    Attributes:
        queries: functions of the first build.
        targets: the same functions in the second build.
        unmatched: functions of the second build that the first does not have: they are in the pool.
    """

    queries: list[FunctionView]
    targets: list[FunctionView]
    unmatched: list[FunctionView]

    @property
    def pool(self) -> list[FunctionView]:
        """All functions to choose from, the right ones first."""
        return [*self.targets, *self.unmatched]


def diff(
    first: Sequence[FunctionView], second: Sequence[FunctionView], least_blocks: int = 1
) -> Diff:
    """Match functions by unit and name, the ground truth that a build of one's own has.

    Args:
        first: one build.
        second: another.
        least_blocks: leave functions with fewer basic blocks out, of both.
    """
    first, second = ([f for f in build if blocks(f) >= least_blocks] for build in (first, second))
    right = {_identity(function): function for function in second}
    queries = [function for function in first if _identity(function) in right]
    found = {_identity(function) for function in queries}
    return Diff(
        queries,
        [right[_identity(function)] for function in queries],
        [function for function in second if _identity(function) not in found],
    )


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


def function_vectors(
    functions: Sequence[FunctionView], model: OscarModel | None, keep_names: bool
) -> Vectors:
    """A vector for each function (functions, dim).

    Args:
        functions: of any build.
        model: with its tokenizer; None: square roots of opcode counts.
        keep_names: whether the model reads names of functions, globals and types.
    """
    if model is None:
        return opcode_histograms([function] for function in functions)
    read = functions if keep_names else [without_names(function) for function in functions]
    return embed(model, read).vectors


def without_names(function: FunctionView) -> FunctionView:
    """The function as a stripped binary shows it: what is called, read or typed has no name."""
    return replace(
        function,
        tokens=[_nameless(tokens) for tokens in function.tokens],
        environment=[_nameless(tokens) for tokens in function.environment],
    )


def _nameless(tokens: list[str]) -> list[str]:
    return [token for token in tokens if token[0] not in "@%" or len(token) == 1]


def _identity(function: FunctionView) -> tuple[str, str, str]:
    return function.project, function.unit, function.function
