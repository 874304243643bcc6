"""Functions without a corpus: for embedding, searching and looking at a few files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from ir_pipeline.engine.tasks import function_rows, lowered_text
from ir_pipeline.engine.work import settings_for
from ir_pipeline.engine.workers import run_units
from ir_pipeline.errors import Failure, LoweringError
from ir_pipeline.limits import Limits
from ir_pipeline.rows.row import FunctionView
from ir_pipeline.scratch import scratch_folder
from ir_pipeline.sources.find import find_units
from ir_pipeline.views.view_names import AS_LOWERED, LEVELS
from static_analysis.errors import OscarError


def read_functions(
    sources: Sequence[Path],
    *,
    views: int | str | Sequence[str] = AS_LOWERED,
    clang: Path | None = None,
    std: str | None = None,
    workers: int | None = None,
    limits: Limits | None = None,
    seed: int = 0,
) -> Iterator[FunctionView | Failure]:
    """Yields the functions of `sources` in a stable order, and a failure for each unit lost.

    Args:
        sources: folders, C/C++/.ll/.bc files, `.jsonl[.gz]` collections, tarballs.
        views: number or names of the views; see `view_names`.
        clang: path of a clang to use instead of the one in the `ziglang` wheel.
        std: value of `-std`.
        workers: number of processes; None for one per usable core.
        limits: what one unit may cost.
        seed: chooses other random views.

    Raises:
        OscarError: a source, view or compiler is not usable.
    """
    with scratch_folder() as scratch:
        settings = settings_for(views, clang, std, limits, seed, scratch)
        units = find_units(sources, scratch)
        with closing(run_units(function_rows, units, settings, workers)) as results:
            for _, result in results:
                yield from [result] if isinstance(result, Failure) else result.rows


def lower(path: Path, opt: str = "O0", std: str | None = None, clang: Path | None = None) -> str:
    """IR of one C, C++, `.ll` or `.bc` file as LLVM 22 prints it.

    Sources are compiled at `opt`. IR is read as it is for `O0`, and run through LLVM's default
    pipeline of that level for `O1` to `O3`.

    Raises:
        LoweringError: the file does not compile or is not readable IR.
        OscarError: there is no such file, level or compiler.
    """
    if opt not in ("O0", *LEVELS):
        raise OscarError(f"no optimisation level {opt!r}: choose O0, O1, O2 or O3")
    with scratch_folder() as scratch:
        settings = settings_for(opt, clang, std, None, 0, scratch)
        unit, *more = find_units([Path(path)], scratch)
        if more or unit.path is None or Path(path).is_dir():
            raise OscarError(f"{path}: lower takes a single C, C++, .ll or .bc file")
        [(_, text)] = run_units(lowered_text, [unit], settings, workers=1)
    if isinstance(text, Failure):
        raise LoweringError(f"{path}: {text.message}", stage=text.stage, reason=text.reason)
    return text
