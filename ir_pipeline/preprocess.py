"""`oscar preprocess`: sources in, corpus out, with a progress bar and a table."""

from __future__ import annotations

import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from rich.console import Console
from rich.progress import TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from ir_pipeline.corpus.build import CorpusSummary, build_corpus
from ir_pipeline.engine.counts import Counts
from ir_pipeline.limits import Limits
from ir_pipeline.progress import progress_bar
from ir_pipeline.sources import recording
from ir_pipeline.views.view_names import CORPUS_VIEWS

Dedup = Literal["none", "exact", "structural", "near"]


def preprocess(
    sources: Annotated[Sequence[str | Path], Parameter(show_default=False)] = (),
    *,
    out: Path,
    views: list[str] | None = None,
    clang: Path | None = None,
    std: str | None = None,
    opt: Path | None = None,
    engine: str = "local",
    address: str | None = None,
    workers: int | None = None,
    time_limit: float = 300.0,
    view_time_limit: float = 120.0,
    memory_limit_gb: float = 4.0,
    seed: int = 0,
    dedup: Dedup = "none",
    library: bool = False,
    force: bool = False,
    record: bool = False,
    cmake: bool = False,
) -> None:
    """Turn C/C++ sources or LLVM IR into a corpus.

    Example: `oscar preprocess zlib-1.2.13.tar.bz2 src/ programs.jsonl.gz --out corpus --views 8`

    A run that was stopped is continued by the same command.

    Example: `oscar preprocess --record --out corpus -- make -j4` builds the project in the current
    folder and takes each file with the flags that its build gives it.

    Args:
        sources: folders, C, C++, .ll or .bc files, .jsonl[.gz] collections of programs with a
            `code` field, tarballs, Debian .dsc files, compile_commands.json files.
        out: folder of the corpus: new, empty, or left by an interrupted run.
        views: how many views of each function, or their names: O0 O1 O2 O3 random-0 random-1 …
            Default: O0 to O3 and four random ones.
        clang: a clang to use instead of the one that comes with OSCAR.
        std: language standard, such as c11 or c++20; default: the compiler's, and for the
            programs of a collection C++98, else C89, else C++17.
        opt: an opt of LLVM 22, which makes views with the passes that OSCAR's own LLVM lacks:
            opt-0 opt-1 …, every second random view of a number.
        engine: local for processes of this machine, ray for a Ray cluster.
        address: of the cluster, as in auto or HOST:PORT; default: a cluster of this machine alone.
        workers: number of processes; default: one per core.
        time_limit: seconds that one unit may take.
        view_time_limit: seconds that one view of a unit may take.
        memory_limit_gb: memory that one worker may take.
        seed: chooses other random views.
        dedup: which copies of functions to leave out: exact ones; structural ones, which are equal
            up to names; or near ones too, which are alike in different projects. Of labelled
            programs, whole programs are left out.
        library: keep functions that come from headers, too: templates and inline functions; of
            IR, those with a linkage that says so.
        force: replace a corpus of other sources, options or tools in `out`.
        record: take the words after -- as a build to run in the current folder, and write how it
            compiles to compile_commands.json there.
        cmake: let CMake configure folders that hold a CMakeLists.txt; this runs what the project's
            CMake files say.
    """
    limits = Limits(
        unit_seconds=time_limit,
        compile_seconds=min(time_limit, Limits.compile_seconds),
        view_seconds=view_time_limit,
        memory_gb=memory_limit_gb,
    )
    if record:
        sources = [recording.record([str(word) for word in sources], Path.cwd()).parent]
    build = partial(
        build_corpus,
        [Path(source) for source in sources],
        out,
        views=views or CORPUS_VIEWS,
        clang=clang,
        std=std,
        opt=opt,
        engine=engine,
        address=address,
        workers=workers,
        limits=limits,
        seed=seed,
        dedup=dedup,
        library=library,
        force=force,
        cmake=cmake,
    )
    with _ending_on_sigterm():
        counts, seconds = _shown(build)
    Console().print(summary_table(out, counts, seconds))


def _shown(build: Callable[..., CorpusSummary]) -> tuple[Counts, float | None]:
    """Runs `build` with a progress bar.

    Returns:
        The counts, and the seconds it took, or None where the corpus was there before.
    """
    start = time.monotonic()
    with progress_bar(Console(stderr=True), TimeRemainingColumn()) as bar:
        task = bar.add_task("lowering", total=None)

        def show(counts: Counts, total: int) -> None:
            bar.update(task, completed=counts.units, total=total)

        counts = build(progress=show).counts
        found_finished = bar.tasks[task].total is None
    return counts, None if found_finished else time.monotonic() - start


@contextmanager
def _ending_on_sigterm() -> Iterator[None]:
    """Lets SIGTERM end the run as Ctrl-C does, which leaves a state to continue from."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def summary_table(out: Path, counts: Counts, seconds: float | None) -> Table:
    """What went in, came out and was left out; no speed where all was there before."""
    table = Table("what", "number", title=Text(f"corpus {out}"), title_justify="left")
    table.columns[1].justify = "right"
    for name in ("units", "functions", "rows", "instructions"):
        table.add_row(name, f"{getattr(counts, name):,}")
    if seconds:
        table.add_row("instructions per second", f"{counts.instructions / seconds:,.0f}")
    _add_reasons(table, "left out", counts.dropped)
    _add_reasons(table, "failed", counts.errors)
    _add_reasons(table, "repaired", counts.repairs)
    return table


def _add_reasons(table: Table, what: str, reasons: Counter[str]) -> None:
    for reason, number in sorted(reasons.items()):
        if number:
            table.add_row(f"{what}: {reason}", f"{number:,}")
