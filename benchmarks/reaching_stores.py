"""Hold reaching stores against what running programs showed, and against the original's way.

    python -m benchmarks.reaching_stores --programs 5400 --recordings FOLDER

Records the programs that the folder lacks: each view is run with a few small inputs, and every
load tells who last wrote the bytes it read (*certain* where one of several library calls cannot
have done it instead). Then every load is analysed. A load *violates* when it read what its set
does not hold; it is *complete* when there is a set at all, and *exact* when the set holds one
source; *seen* is the share of all sources that a run showed. Recording takes about a second a
program, checking a tenth.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

import cyclopts
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.parts.llvm_modules import data_folder
from benchmarks.parts.load_findings import NEAREST, OURS, Findings, check_program
from oscar.commands.console import output
from tests.static_analysis.oracle.recording import VIEWS
from tests.static_analysis.oracle.store import place_of, record_programs

Item = TypeVar("Item")
_SHOWN = 20  # violations printed
_PER_TASK = 8  # programs handed to a process at a time


def main(
    *,
    recordings: Path,
    programs: int = 5400,
    data: list[Path] | None = None,
    views: list[str] | None = None,
    seed: int = 0,
    workers: int = 1,
    json_file: Annotated[Path | None, cyclopts.Parameter(name="--json")] = None,
) -> None:
    """Record programs, check every load of them, print one table.

    Args:
        recordings: folder for recordings; what it holds is not recorded again.
        programs: how many programs to take, at random.
        data: .jsonl.gz files of programs with the fields file and code; default: POJ-104.
        views: O0, O1, O2, O3 or some of them.
        seed: chooses other programs and inputs.
        workers: processes that check.
        json_file: also write the figures here.
    """
    folder = data_folder() / "poj104"
    files = data or [folder / "train.jsonl.gz", folder / "valid.jsonl.gz"]
    chosen = _programs(files, programs, seed)
    missing = [one for one in chosen if not place_of(recordings, one[0]).exists()]
    if missing:
        record_programs(_tracked(missing, "recording", len(missing)), recordings, seed)
    places = [place_of(recordings, name) for name, _ in chosen]
    findings = Findings()
    for found in _tracked(_checked(places, views or VIEWS, workers), "checking", len(places)):
        findings.add(found)
    console = output()
    console.print(figures_table(findings), _reasons_table(findings, views or VIEWS))
    print("\n".join(findings.violated[:_SHOWN]))
    if json_file is not None:
        json_file.write_text(json.dumps(_to_json(findings), indent=2) + "\n")
    sys.exit(1 if findings.violated else 0)


def _tracked(items: Iterable[Item], what: str, total: int) -> Iterable[Item]:
    """Show a bar on a terminal."""
    return track(items, what, total, console=Console(stderr=True), disable=not sys.stderr.isatty())


def _programs(files: Sequence[Path], count: int, seed: int) -> list[tuple[str, str]]:
    """Draw programs: their names and codes."""
    records: list[dict[str, str]] = []
    for file in files:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            records += map(json.loads, lines)
    random.Random(seed).shuffle(records)
    return [(record["file"], record["code"]) for record in records[:count]]


def _checked(places: Sequence[Path], views: Sequence[str], workers: int) -> Iterator[Findings]:
    check = partial(check_program, views=tuple(views))
    if workers == 1:
        yield from map(check, places)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(check, places, chunksize=_PER_TASK)


def figures_table(findings: Findings) -> Table:
    """Return the table: two ways to find what a load reads, view by view."""
    table = Table(title="What loads read, as reported and as seen in running programs")
    for heading in ("view", "programs", "way"):
        table.add_column(heading, no_wrap=True)
    for heading in ("loads", "certain", "violations", "complete", "set size", "seen", "exact"):
        table.add_column(heading, justify="right", no_wrap=True)
    for (view, way), found in sorted(findings.figures.items(), key=lambda item: item[0][0]):
        figures = found.to_json()
        table.add_row(
            view if way == OURS else "",
            f"{findings.programs[view]:,}" if way == OURS else "",
            way,
            f"{found.loads:,}",
            f"{figures['origin_certain']:.1%}",
            f"{found.wrong:,}",
            f"{figures['complete']:.1%}",
            f"{figures['mean_set_size']:.2f}",
            f"{figures['sources_seen']:.1%}",
            f"{figures['exact']:.1%}",
            end_section=way == NEAREST,
        )
    return table


def _reasons_table(findings: Findings, views: Sequence[str]) -> Table:
    """Return how the runs of each view ended; before that, what was not run."""
    table = Table("not run, and how runs ended", *views)
    for column in table.columns[1:]:
        column.justify = "right"
    for counts in (findings.skips, findings.ends):
        reasons = sorted({reason for _, reason in counts})
        for number, reason in enumerate(reasons, start=1):
            row = (f"{counts[view, reason]:,}" for view in views)
            table.add_row(reason, *row, end_section=number == len(reasons))
    return table


def _to_json(findings: Findings) -> dict[str, object]:
    ways = {OURS: "reaching_stores", NEAREST: "nearest_version"}
    views: dict[str, dict[str, object]] = {}
    for (view, way), found in findings.figures.items():
        views.setdefault(view, {"programs": findings.programs[view]})[ways[way]] = found.to_json()
    return {
        "views": views,
        "skips": {f"{view}: {why}": count for (view, why), count in findings.skips.items()},
        "ends": {f"{view}: {end}": count for (view, end), count in findings.ends.items()},
        "violated": findings.violated,
    }


if __name__ == "__main__":
    cyclopts.run(main)
