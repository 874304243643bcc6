"""`oscar evaluate binary-diffing`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from rich.console import Console

from finetune.commands.printing import finish
from finetune.evaluation.intervals import confidence_interval
from finetune.evaluation.matching import Matching, match_ranks
from finetune.evaluation.results import Evaluation, Result
from finetune.representation import untrained
from finetune.tasks.binary_diffing import PAIRS, Diff, diff, function_vectors, read_build
from finetune.tasks.representations import UNTRAINED
from ir_pipeline import FunctionView
from oscar import OscarModel
from oscar.commands.console import output
from static_analysis import OscarError

HISTOGRAM = "opcode histogram"


def evaluate_diffing(
    sources: list[Path],
    *,
    out: Path,
    model: list[Path] | None = None,
    least_blocks: int = 1,
    keep_names: bool = False,
    seed: int = 0,
) -> None:
    """Find each function of one optimisation level among all functions of another.

    Example: `oscar evaluate binary-diffing zlib-1.2.13.tar.bz2 --model run --out results`

    The truth is known by name; what the model reads has no name of any function or variable, as in
    a stripped binary.

    Args:
        sources: as `oscar preprocess` takes them.
        out: folder for metrics.json and results.md.
        model: model folders; an untrained model of the first's shape is added.
        least_blocks: leave functions with fewer basic blocks out: the fewer, the harder.
        keep_names: let the names of called functions and globals be read.
        seed: of untrained weights.
    """
    console = output()
    models = {str(path): OscarModel.from_pretrained(path) for path in model or ()}
    if models:
        models = {UNTRAINED: untrained(next(iter(models.values())), seed), **models}
    builds = _builds(sources, console)
    results: dict[str, Result] = {}
    for first, second in PAIRS:
        found = diff(builds[first], builds[second], least_blocks)
        if not found.queries:
            raise OscarError(
                f"no function of {least_blocks} blocks or more is there at {first} and {second}: "
                "ask for fewer --least-blocks"
            )
        for name in (HISTOGRAM, *models):
            console.print(f"judging {name}: {first} to {second}, {len(found.queries)} functions")
            ranks = _ranks(found, models.get(name), keep_names)
            interval = confidence_interval((ranks == 1).astype(float), seed=seed)
            figures = Matching.of(ranks, len(found.pool))
            results[f"{first} → {second}, {name}"] = Result(figures, interval)
    facts = {
        "sources": " ".join(map(str, sources)),
        "least_blocks": least_blocks,
        "names": "kept" if keep_names else "left out",
        **{f"functions_at_{level}": len(build) for level, build in builds.items()},
    }
    finish(console, Evaluation("The same function at another level", results, facts), out)


def _builds(sources: list[Path], console: Console) -> dict[str, list[FunctionView]]:
    builds = {}
    for level in dict.fromkeys(level for pair in PAIRS for level in pair):
        console.print(f"lowering at {level}")
        builds[level] = read_build(sources, level)
    return builds


def _ranks(found: Diff, model: OscarModel | None, keep_names: bool) -> np.ndarray:
    vectors = function_vectors([*found.queries, *found.pool], model, keep_names)
    count = len(found.queries)
    return match_ranks(vectors[:count], vectors[count:])
