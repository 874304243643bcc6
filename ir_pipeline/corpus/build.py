"""Builds a corpus: every unit of the sources, in every view, as Parquet shards."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ir_pipeline.corpus.chunks import Progress, make_chunks
from ir_pipeline.corpus.duplicates import check_level
from ir_pipeline.corpus.finish import finish
from ir_pipeline.corpus.layout import ERRORS, MANIFEST, SHARDS, STAGING
from ir_pipeline.corpus.manifest import plan, read_json
from ir_pipeline.corpus.shards import read_errors
from ir_pipeline.corpus.staging import Staging
from ir_pipeline.engine.counts import Counts
from ir_pipeline.engine.engines import Engine, choose_engine
from ir_pipeline.engine.work import Settings, settings_for
from ir_pipeline.errors import one_line
from ir_pipeline.limits import Limits
from ir_pipeline.scratch import scratch_folder
from ir_pipeline.sources.find import find_units
from ir_pipeline.sources.units import Unit
from ir_pipeline.views.view_names import CORPUS_VIEWS
from static_analysis.errors import OscarError


@dataclass(frozen=True)
class CorpusSummary:
    """What a finished corpus holds.

    Attributes:
        path: its folder.
        counts: in, out and left out.
    """

    path: Path
    counts: Counts


def build_corpus(
    sources: Sequence[Path],
    out: Path,
    *,
    views: int | str | Sequence[str] = CORPUS_VIEWS,
    clang: Path | None = None,
    std: str | None = None,
    opt: Path | None = None,
    engine: str = "local",
    address: str | None = None,
    workers: int | None = None,
    limits: Limits | None = None,
    seed: int = 0,
    dedup: str = "none",
    library: bool = False,
    force: bool = False,
    cmake: bool = False,
    progress: Progress | None = None,
) -> CorpusSummary:
    """Lowers, varies and analyses all units of `sources` and writes them to the folder `out`.

    The shards' bytes depend on the sources, options and tool versions only. A run that was
    stopped at any time is continued by the same call; a finished corpus is left as it is.

    Args:
        sources: folders, C/C++/.ll/.bc files, `compile_commands.json` files, `.jsonl[.gz]`
            collections, tarballs, Debian `.dsc` files.
        out: new or empty folder, or one with an unfinished or equal corpus.
        views: number or names of the views; see `view_names`.
        clang: path of a clang to use instead of the one in the `ziglang` wheel.
        std: value of `-std`.
        opt: path of an LLVM `opt`, which makes the views `opt-N`.
        engine: `local` for processes of this machine, `ray` for a Ray cluster.
        address: of the Ray cluster; None for one of this machine alone.
        workers: number of processes; None for one per usable core.
        limits: what one unit may cost.
        seed: chooses other random views.
        dedup: which copies of functions are left out: `none`, `exact`, `structural` or `near`; of
            labelled programs, whole programs.
        library: keep functions that come from headers, too: templates and inline functions; of
            IR, those with a linkage that says so.
        force: replace a corpus of other sources, options or tools in `out`.
        cmake: let CMake configure folders that hold a `CMakeLists.txt`, which runs what that says.
        progress: called with the counts so far and the number of units in all.

    Raises:
        OscarError: a source, view, compiler or `out` is not usable, or no unit gave a function.
    """
    out, run = Path(out), choose_engine(engine, address, workers)
    check_level(dedup)
    with scratch_folder() as scratch:
        settings = settings_for(views, clang, std, limits, seed, scratch, opt, library)
        units = find_units(sources, scratch, cmake=cmake)
        made_by = plan(units, settings, dedup)
        counts = _build(out, made_by, units, settings, run, force, progress)
    _check_not_empty(out, counts)
    return CorpusSummary(out, counts)


def _build(
    out: Path,
    made_by: dict[str, Any],
    units: Sequence[Unit],
    settings: Settings,
    engine: Engine,
    force: bool,
    progress: Progress | None,
) -> Counts:
    """Makes what `out` lacks of the corpus of `units`."""
    finished = _check_folder(out, made_by, force)
    staging = Staging(out)
    if finished is None:
        staging.open(made_by, fresh=force)
        with closing(staging):
            if force:
                _clear(out)
            chunks = make_chunks(units, settings, staging, engine, progress)
            return finish(out, made_by, staging, chunks)
    if staging.folder.exists():
        # The run that wrote the manifest was killed right after.
        staging.open(made_by)
        staging.remove()
    return finished


def _check_folder(out: Path, made_by: dict[str, Any], force: bool) -> Counts | None:
    """The counts of the corpus in `out` if it is finished and the same, else None."""
    _check_usable(out)
    finished = read_json(out / MANIFEST)
    staging = Staging(out)
    before = finished or staging.plan()
    alone = all(path.name == STAGING for path in out.iterdir())
    if before is None and not alone:
        raise OscarError(f"{out}: holds other files; name a new or empty folder with --out")
    if alone and staging.is_empty():
        return None  # a run that never got to work, with an option that had to be mended, say
    same = before is not None and all(before.get(key) == made_by[key] for key in made_by)
    if before is not None and not same and not force:
        state = "a corpus" if finished else "an unfinished corpus"
        raise OscarError(
            f"{out}: holds {state} of other sources, options or tools; "
            "name another folder with --out, or replace it with --force"
        )
    return Counts.from_json(finished["counts"]) if finished and same and not force else None


def _check_usable(out: Path) -> None:
    try:
        if out.exists() and not out.is_dir():
            raise OscarError(f"{out}: not a folder")
        out.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else error
        raise OscarError(one_line(f"{out}: no corpus can be written there: {said}")) from None


def _clear(out: Path) -> None:
    # The manifest goes first: without it, what is left is no corpus to any reader.
    for name in (MANIFEST, ERRORS):
        (out / name).unlink(missing_ok=True)
    shutil.rmtree(out / SHARDS, ignore_errors=True)


def _check_not_empty(out: Path, counts: Counts) -> None:
    failed = counts.errors.total()
    if counts.rows == 0 and failed:
        first = read_errors(out / ERRORS)[0]
        raise OscarError(
            f"{failed} of {counts.units} units failed, none is left (see {out / ERRORS}); "
            f"the first: {first.unit} ({first.stage}): {first.message}"
        )
    if counts.rows == 0:
        raise OscarError(f"{out}: no function is defined in any of the {counts.units} units")
