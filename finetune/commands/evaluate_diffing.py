"""`oscar evaluate binary-diffing`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from rich.console import Console

from finetune.commands.printing import finish
from finetune.commands.starting import check_unwritten
from finetune.evaluation.curves import recall_by_size
from finetune.evaluation.intervals import confidence_interval
from finetune.evaluation.matching import Matching, match_ranks
from finetune.evaluation.picture import draw_sizes
from finetune.evaluation.results import Evaluation, Result
from finetune.evaluation.similarity import Vectors
from finetune.tasks.binary_diffing import PAIRS, Build, Diff, build_vectors, diff
from finetune.tasks.lifted import lifted_builds, read_names
from finetune.tasks.representations import load_models, with_untrained
from oscar.commands.console import output
from static_analysis import OscarError

HISTOGRAM = "opcode histogram"
Pair = tuple[str, str]
LIFTED = ("first", "second")
"""Programs that are compared as they are, in place of levels."""


def evaluate_diffing(
    sources: list[Path],
    *,
    out: Path,
    against: list[Path] | None = None,
    names: Path | None = None,
    model: list[Path] | None = None,
    least_blocks: int = 1,
    keep_names: bool = False,
    force: bool = False,
    seed: int = 0,
) -> None:
    """Find each function of one build among all functions of another.

    Example: `oscar evaluate binary-diffing zlib-1.2.13.tar.bz2 --model run --out results`

    Sources are built at O0 to O3. Two binaries that a tool has lifted to IR are compared as they
    are: `oscar evaluate binary-diffing old.ll --against new.ll --model run --out results`.

    The truth is known by name; what the model reads has no name of any function or variable, as in
    a stripped binary.

    Args:
        sources: as `oscar preprocess` takes them; with --against, .ll or .bc files.
        out: folder for metrics.json, results.md and pictures.
        against: .ll or .bc files of the other program.
        names: with --against, a file of pairs where names differ: CSV of two columns or a JSON
            object, a function's name in the first program and in the other.
        model: model folders; an untrained model of the first's shape is added.
        least_blocks: leave functions with fewer basic blocks out: the fewer, the harder.
        keep_names: let the names of called functions and globals be read.
        force: replace results that are in OUT.
        seed: of untrained weights.
    """
    check_unwritten(out, force)
    if names is not None and not against:
        raise OscarError("--names goes with --against: builds of one source have the same names")
    console = output()
    loaded = load_models(model)
    builds = _lifted(sources, against, names) if against else _levels(sources, console)
    questions = _questions(builds, [LIFTED] if against else PAIRS, least_blocks)
    judged: dict[str, dict[Pair, Result]] = {}
    for name, reader in {HISTOGRAM: None, **with_untrained(loaded, seed)}.items():
        console.print(f"judging {name}")
        folder = name if name in loaded else None
        vectors = build_vectors([*builds.values()], reader, keep_names)
        tables = dict(zip(builds, vectors, strict=True))
        judged[name] = _judge(builds, questions, tables, folder, seed)
    results = {
        _row(pair, name): found[pair] for pair in questions for name, found in judged.items()
    }
    facts = {
        "sources": _listed(sources),
        **({"against": _listed(against)} if against else {}),
        "least_blocks": least_blocks,
        "names": "kept" if keep_names else "left out",
        **{f"functions_at_{level}": len(build.functions) for level, build in builds.items()},
    }
    title = f"The same function {'in another program' if against else 'at another level'}"
    task = f"binary diffing of {' '.join(path.name for path in [*sources, *(against or ())])}"
    finish(console, Evaluation(title, results, facts, task, _draw(out, judged, questions)), out)


def _levels(sources: list[Path], console: Console) -> dict[str, Build]:
    builds = {}
    for level in dict.fromkeys(level for pair in PAIRS for level in pair):
        console.print(f"lowering at {level}")
        builds[level] = Build.at_level(sources, level)
    return builds


def _lifted(sources: list[Path], against: list[Path], names: Path | None) -> dict[str, Build]:
    pairs = None if names is None else read_names(names)
    return dict(zip(LIFTED, lifted_builds(sources, against, pairs), strict=True))


def _questions(
    builds: Mapping[str, Build], pairs: Sequence[Pair], least_blocks: int
) -> dict[Pair, Diff]:
    """What is asked of each pair of builds.

    Raises:
        OscarError: of one of them, nothing.
    """
    asked = {}
    for first, second in pairs:
        asked[first, second] = diff(builds[first], builds[second], least_blocks)
        if not asked[first, second].queries:
            raise OscarError(
                f"no function of {least_blocks} blocks or more is there at {first} and {second}: "
                "ask for fewer --least-blocks"
            )
    return asked


def _judge(
    builds: Mapping[str, Build],
    questions: Mapping[Pair, Diff],
    vectors: Mapping[str, Vectors],
    model: str | None,
    seed: int,
) -> dict[Pair, Result]:
    """The figures of one representation of the builds, with recall@1 over the queries' size."""
    results = {}
    for (first, second), asked in questions.items():
        ranks = match_ranks(vectors[first][asked.queries], vectors[second][asked.pool], asked.right)
        interval = confidence_interval((ranks == 1).astype(float), seed=seed)
        functions = builds[first].functions
        sizes = np.array([functions[row].n_instructions for row in asked.queries])
        figures, curve = Matching.of(ranks, len(asked.pool)), recall_by_size(sizes, ranks)
        results[first, second] = Result(figures, interval, model=model, curve=curve)
    return results


def _draw(
    out: Path, judged: Mapping[str, dict[Pair, Result]], pairs: Iterable[Pair]
) -> dict[str, str]:
    """Draw recall by size, a picture a pair of builds: file names, and what the files show."""
    pictures: dict[str, str] = {}
    for pair in pairs:
        found = {name: results[pair] for name, results in judged.items()}
        file = out / f"recall-by-size-{'-'.join(pair)}.svg"
        pictures |= draw_sizes(file, found, _row(pair, "recall@1"))
    return pictures


def _row(pair: Pair, name: str) -> str:
    return name if pair == LIFTED else f"{pair[0]} → {pair[1]}, {name}"


def _listed(paths: Sequence[Path]) -> str:
    return " ".join(map(str, paths))
