"""What a corpus costs: of a collection of programs, or of projects.

    python -m benchmarks.corpus programs poj104/train.jsonl.gz [--sample 2000] [--json FILE]
    python -m benchmarks.corpus projects zlib-1.2.13.tar.bz2 sqlite3.c [--views 4] [--json FILE]

CPU times are of all processes: this one, the workers and their compilers. Precompiled headers, made
once in the life of a cache, are made before.
"""

import json
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import cyclopts
from rich.table import Table

from benchmarks.parts.plain_compiler import plain_seconds
from benchmarks.parts.process_tree import cpu_seconds, peak_memory
from benchmarks.parts.unit_stages import STAGES, stage_seconds
from ir_pipeline import build_corpus
from ir_pipeline.corpus.shards import read_errors
from ir_pipeline.engine.counts import Counts
from ir_pipeline.limits import Limits
from ir_pipeline.lowering.frontend import Frontend
from ir_pipeline.lowering.toolchain import find_toolchain
from ir_pipeline.sources.packed import Record, read_records
from oscar.commands.console import output

JsonFile = Annotated[Path | None, cyclopts.Parameter(name="--json")]

# One for each dialect in which programs of a collection are tried.
_WARM = ("int main() { cout << 1; }", "int main() { int new; }", "auto x = nullptr;")
_PLAIN_EVERY = 50

app = cyclopts.App(help=__doc__)


@dataclass
class ProgramFigures:
    """What became of a sample of programs; times are CPU seconds a program."""

    programs: int
    seconds: float
    plain_seconds: float
    counts: dict[str, object]
    failures: dict[str, str]


@dataclass
class ProjectFigures:
    """What one source cost; times are in seconds."""

    counts: dict[str, object]
    stages: dict[str, float]
    cpu_seconds: float
    worker_bytes: int
    wall_seconds: list[float]


@app.command
def programs(
    collection: Path, *, sample: int = 2000, seed: int = 104, json_file: JsonFile = None
) -> None:
    """Make a corpus of a sample of programs at O0, and compile some of them the plain way.

    Args:
        collection: .jsonl or .jsonl.gz file with a `code` field.
        sample: number of programs, drawn without repetition.
        seed: chooses other programs.
        json_file: also write the figures here.
    """
    records = list(read_records(collection))
    picked = sorted(random.Random(seed).sample(range(len(records)), min(sample, len(records))))
    figures = measure_programs([records[i] for i in picked])
    output().print(programs_table(figures))
    _write(json_file, asdict(figures))


@app.command
def projects(
    sources: list[Path],
    *,
    views: int = 4,
    opt: Path | None = None,
    json_file: JsonFile = None,
) -> None:
    """Make a corpus of each source: the stages' shares, the workers' memory, one worker and two.

    Args:
        sources: what `oscar preprocess` takes.
        views: number of views.
        opt: an `opt` to make every second random view with.
        json_file: also write the figures here.
    """
    with tempfile.TemporaryDirectory() as scratch:
        trivial = Path(scratch, "trivial.c")
        trivial.write_text("int one(void) { return 1; }\n")
        # So that no source pays for what is loaded, or started, once.
        measure_project(trivial, views, opt)
    figures = {source.name: measure_project(source, views, opt) for source in sources}
    output().print(projects_table(figures))
    _write(json_file, {name: asdict(one) for name, one in figures.items()})


def measure_programs(records: Sequence[Record]) -> ProgramFigures:
    """Corpus of the records with one worker."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        frontend = Frontend(find_toolchain(), Limits(), folder)
        for code in _WARM:
            frontend.compile_fragment(code)
        lines = [{"code": record.code, "file": record.name} for record in records]
        (folder / "sample.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        before = cpu_seconds()
        summary = build_corpus([folder / "sample.jsonl"], folder / "corpus", views=1, workers=1)
        spent = cpu_seconds() - before
        failures = read_errors(summary.path / "errors.parquet")
        codes = [record.code for record in records[::_PLAIN_EVERY] if record.code]
        plain = [plain_seconds(frontend, code) for code in codes]
    return ProgramFigures(
        programs=len(records),
        seconds=spent / len(records),
        plain_seconds=sum(plain) / len(plain),
        counts=summary.counts.as_json(),
        failures={failure.unit: failure.message for failure in failures},
    )


def measure_project(source: Path, views: int, opt: Path | None) -> ProjectFigures:
    """One source: by stage in this process, then with one worker and with two."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        stages = stage_seconds([source], folder / "staged", views=views, opt=opt)
        walls, spent, peak, counts = [], 0.0, 0, Counts()
        for workers in (1, 2):
            start, before = time.perf_counter(), cpu_seconds()
            with peak_memory() as peaks:
                out = folder / f"with-{workers}"
                counts = build_corpus([source], out, views=views, opt=opt, workers=workers).counts
            walls.append(time.perf_counter() - start)
            spent = spent or cpu_seconds() - before
            peak = max([peak, *peaks.values()])
    return ProjectFigures(counts.as_json(), stages, spent, peak, walls)


def programs_table(figures: ProgramFigures) -> Table:
    """The figures for people."""
    table = Table("what", "number")
    table.columns[1].justify = "right"
    lowered = figures.programs - len(figures.failures)
    table.add_row("programs", f"{figures.programs:,}")
    table.add_row("lowered", f"{lowered:,} ({lowered / figures.programs:.2%})")
    for name in ("functions", "instructions"):
        table.add_row(name, f"{figures.counts[name]:,}")
    for name, number in sorted(dict(figures.counts["repairs"]).items()):
        table.add_row(f"repaired: {name}", f"{number:,}")
    table.add_row("CPU ms a program, all in", f"{1000 * figures.seconds:.0f}")
    table.add_row("CPU ms to lower it the plain way", f"{1000 * figures.plain_seconds:.0f}")
    table.add_row("ratio", f"{figures.plain_seconds / figures.seconds:.1f}")
    for name, said in sorted(figures.failures.items()):
        table.add_row(f"failed: {name}", said[:60])
    return table


def projects_table(figures: dict[str, ProjectFigures]) -> Table:
    """The figures for people, a column for each source."""
    table = Table("what", *figures)
    for column in table.columns[1:]:
        column.justify = "right"
    for name in ("units", "functions", "rows", "instructions"):
        table.add_row(name, *(f"{one.counts[name]:,}" for one in figures.values()))
    table.add_row("CPU s", *(f"{one.cpu_seconds:.1f}" for one in figures.values()))
    each = (1000 * one.cpu_seconds / one.counts["units"] for one in figures.values())
    table.add_row("CPU ms a unit", *(f"{milliseconds:,.0f}" for milliseconds in each))
    for stage in STAGES:
        shares = (one.stages[stage] / sum(one.stages.values()) for one in figures.values())
        table.add_row(f"  {stage}", *(f"{share:.0%}" for share in shares))
    peaks = (f"{one.worker_bytes / 2**20:.0f}" for one in figures.values())
    table.add_row("memory of a worker, MiB", *peaks)
    for i, workers in enumerate(("1 worker", "2 workers")):
        table.add_row(f"s with {workers}", *(f"{f.wall_seconds[i]:.1f}" for f in figures.values()))
    gains = (one.wall_seconds[0] / one.wall_seconds[1] for one in figures.values())
    table.add_row("speed of 2 workers to that of 1", *(f"{gain:.2f}" for gain in gains))
    return table


def _write(file: Path | None, figures: dict[str, object]) -> None:
    if file is not None:
        file.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    app()
