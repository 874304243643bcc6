"""Functions without a corpus: for embedding, searching and looking at a few files."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from ir_pipeline.engine.tasks import function_rows, lowered_text
from ir_pipeline.engine.work import Settings
from ir_pipeline.engine.workers import run_units
from ir_pipeline.errors import Failure, LoweringError
from ir_pipeline.limits import Limits
from ir_pipeline.lowering.toolchain import check_std, find_toolchain
from ir_pipeline.rows.row import FunctionView
from ir_pipeline.sources.find import find_units
from ir_pipeline.views.view_names import AS_LOWERED, LEVELS, view_names
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
    names, toolchain = view_names(views), find_toolchain(clang)
    check_std(toolchain, std)
    with tempfile.TemporaryDirectory(prefix="oscar-", ignore_cleanup_errors=True) as scratch:
        units = find_units(sources, Path(scratch))
        settings = Settings(toolchain, names, std, limits or Limits(), seed, Path(scratch))
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
    toolchain = find_toolchain(clang)
    check_std(toolchain, std)
    with tempfile.TemporaryDirectory(prefix="oscar-", ignore_cleanup_errors=True) as scratch:
        unit, *more = find_units([Path(path)], Path(scratch))
        if more or unit.path is None or Path(path).is_dir():
            raise OscarError(f"{path}: lower takes a single C, C++, .ll or .bc file")
        settings = Settings(toolchain, (opt,), std, Limits(), 0, Path(scratch))
        [(_, text)] = run_units(lowered_text, [unit], settings, workers=1)
    if isinstance(text, Failure):
        raise LoweringError(f"{path}: {text.message}", stage=text.stage, reason=text.reason)
    return text
