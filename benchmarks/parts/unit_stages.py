"""Which part of the CPU time of a corpus goes into which stage of the pipeline."""

import resource
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

from ir_pipeline.corpus import build
from ir_pipeline.corpus.staging import Staging
from ir_pipeline.engine import tasks, unit, unit_views
from ir_pipeline.engine.work import Settings
from ir_pipeline.limits import Limits
from ir_pipeline.sources.units import Unit
from ir_pipeline.views.view_maker import ViewMaker

STAGES = ("find", "lower", "views", "analyse", "rows", "write")

# The functions that do the stages, where they are called; what is left makes the rows.
_DONE_BY = (
    (build, "find_units", "find"),
    (unit, "_lower", "lower"),
    (ViewMaker, "make", "views"),
    (unit_views, "analyse", "analyse"),
    (tasks, "to_table", "write"),
    (Staging, "write_chunk", "write"),
    (build, "finish", "write"),
)
# A view past its time would end this process.
_PATIENT = Limits(unit_seconds=1e5, compile_seconds=1e5, view_seconds=1e5)


def stage_seconds(sources: Sequence[Path], out: Path, **options: Any) -> dict[str, float]:
    """CPU seconds of each stage, compilers included, for a corpus that this process makes alone.

    Args:
        sources: of the corpus.
        out: its folder.
        options: of `build_corpus`.
    """
    spent: Counter[str] = Counter()
    start = _cpu()
    with ExitStack() as stack:
        stack.enter_context(patch.object(build, "choose_engine", lambda *_: _in_this_process))
        for home, name, stage in _DONE_BY:
            clocked = _clocked(getattr(home, name), stage, spent)
            stack.enter_context(patch.object(home, name, clocked))
        build.build_corpus(sources, out, limits=_PATIENT, **options)
    spent["rows"] = _cpu() - start - spent.total()
    return {stage: spent[stage] for stage in STAGES}


def _in_this_process(
    task: Callable[[Unit, Settings], Any], units: Sequence[Unit], settings: Settings
) -> Iterator[tuple[Unit, Any]]:
    return ((unit, task(unit, settings)) for unit in units)


def _clocked(function: Callable[..., Any], stage: str, spent: Counter[str]) -> Callable[..., Any]:
    def run(*arguments: Any, **options: Any) -> Any:
        start = _cpu()
        try:
            return function(*arguments, **options)
        finally:
            spent[stage] += _cpu() - start

    return run


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)
