"""What a worker does with one unit: lower it, make its views, analyse them, form rows."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ir_pipeline.engine.unit_views import analysed_views, distinct
from ir_pipeline.engine.work import Settings, UnitResult
from ir_pipeline.errors import Failure, LoweringError, failure
from ir_pipeline.lowering.frontend import Frontend
from ir_pipeline.lowering.llvm import parse, printed
from ir_pipeline.lowering.standards import usual_name
from ir_pipeline.rows.describer import Describer
from ir_pipeline.rows.licenses import license_of
from ir_pipeline.rows.row import FunctionView
from ir_pipeline.rows.source_index import SourceIndex
from ir_pipeline.rows.structure import OwnNames
from ir_pipeline.rows.symbol_names import source_name
from ir_pipeline.sources.units import Unit
from ir_pipeline.views.external_opt import OptRunner
from ir_pipeline.views.module_text import definitions
from ir_pipeline.views.view_maker import ViewMaker

# Linkages of functions that every unit including a header has a copy of.
_SHARED = ("linkonce", "linkonce_odr", "available_externally")


def process_unit(unit: Unit, settings: Settings) -> UnitResult | Failure:
    """Rows of `unit`, or the one failure it costs; never raises an Exception."""
    try:
        return _process(unit, settings)
    except Exception as error:
        # A fault of ours in one unit must not cost a run of days; the row says what to report.
        return failure(unit.name, error)


def lower_file(unit: Unit, settings: Settings) -> str | Failure:
    """Normalised IR text of one file at the level `settings.views` names, or why there is none.

    Never raises an Exception.
    """
    (level,) = settings.views
    try:
        with tempfile.TemporaryDirectory(dir=settings.scratch) as scratch:
            text = _lower(unit, settings, Path(scratch), level).text
        if unit.language == "llvm-ir":
            text = ViewMaker(text, seed="", own=bool).make(level)
        return text
    except Exception as error:
        # As above: what is raised in a worker reaches the user as one line.
        return failure(unit.name, error)


@dataclass(frozen=True)
class _Lowered:
    text: str
    language: str
    standard: str | None = None
    repairs: tuple[str, ...] = ()
    taken: Callable[[], Collection[int]] | None = None


def _lower(unit: Unit, settings: Settings, scratch: Path, opt: str = "O0") -> _Lowered:
    frontend = Frontend(settings.toolchain, settings.limits, scratch, settings.std, opt)
    if unit.path is None:
        if unit.code is None:
            reason = "not text" if unit.language == "fragment" else "cannot be read"
            raise LoweringError(unit.fault, stage="read", reason=reason)
        data, attempt = frontend.compile_fragment(unit.code)
        text, standard = printed(parse(data)), usual_name(attempt.std)
        taken = partial(frontend.branches_of_fragment, attempt)
        return _Lowered(text, attempt.language, standard, attempt.repairs, taken)
    if unit.language == "llvm-ir":
        return _Lowered(printed(parse(unit.content())), unit.language)
    _refuse_binary(unit)
    text = printed(parse(frontend.compile_file(unit)))
    taken = partial(frontend.branches_of_file, unit)
    return _Lowered(text, unit.language, frontend.standard(unit), taken=taken)


def _refuse_binary(unit: Unit) -> None:
    if b"\0" in unit.content()[:8192]:
        raise LoweringError("a binary file, not source code", stage="read", reason="not text")


def _process(unit: Unit, settings: Settings) -> UnitResult:
    with tempfile.TemporaryDirectory(dir=settings.scratch) as scratch:
        lowered = _lower(unit, settings, Path(scratch))
        return _result(unit, lowered, settings, Path(scratch))


def _result(unit: Unit, lowered: _Lowered, settings: Settings, scratch: Path) -> UnitResult:
    result = UnitResult(repairs=lowered.repairs)
    content = b"" if unit.language == "llvm-ir" else unit.content()
    index = SourceIndex(content, lowered.language if content else "c", lowered.taken)
    known = None if settings.library else index
    own = _kept_functions(lowered.text, known, result.dropped)
    describer = Describer(
        unit,
        lowered.language,
        lowered.standard,
        license_of(unit, content),
        lowered.repairs,
        index,
        OwnNames(lowered.text, own),
    )
    groups: dict[str, list[FunctionView]] = {name: [] for name in own}
    opt = OptRunner(settings.opt, scratch, settings.limits) if settings.opt else None
    maker = ViewMaker(lowered.text, str(settings.seed), groups.__contains__, opt)
    for view, functions in analysed_views(maker, groups, unit, settings, result.dropped):
        for row in describer.rows(functions, view):
            groups[row.function].append(row)
    result.rows = [row for rows in groups.values() for row in distinct(rows, result.dropped)]
    result.dropped = +result.dropped  # only what was dropped at all
    return result


def _kept_functions(text: str, index: SourceIndex | None, dropped: Counter[str]) -> list[str]:
    """Functions written in the unit itself, in module order; all functions without an index.

    A class's methods and templates have the same linkage whether they come from the unit or from
    a header; those whose definition is in the unit's file count as its own.
    """
    own = []
    for function in definitions(text):
        foreign = (
            index is not None
            and function.linkage in _SHARED
            and source_name(function.name) not in index
        )
        if foreign:
            dropped["library function"] += 1
        else:
            own.append(function.name)
    return own
