"""The views of one unit, analysed, with a count of all that a view lacks, adds or repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from ir_pipeline.engine.work import Settings, view_note
from ir_pipeline.errors import Failure, LoweringError, failure
from ir_pipeline.limits import ending_after
from ir_pipeline.rows.row import FunctionView
from ir_pipeline.sources.units import Unit
from ir_pipeline.views.likeness import instruction_bag
from ir_pipeline.views.module_text import defined_names, keep_definitions
from ir_pipeline.views.view_maker import ViewMaker
from static_analysis import AnalysedFunction, analyse
from static_analysis.errors import IRError

# An `opt` that is past a view's time is stopped first: that does not cost the worker.
_GRACE = 1.0


def analysed_views(
    maker: ViewMaker,
    own: Collection[str],
    unit: Unit,
    settings: Settings,
    dropped: Counter[str],
) -> Iterator[tuple[str, list[AnalysedFunction]]]:
    """The unit's own functions in each view that can be made.

    A function is known by its symbol, which inlining and LLVM's passes leave as it is. One that a
    view lacks, because it was inlined everywhere, say, and one that a pass split off or cloned,
    whose symbol the source does not have, are counted and give no row.

    Args:
        maker: of the views.
        own: symbols of the functions to analyse.
        unit: where they come from.
        settings: names of the views, and their limits.
        dropped: counted up.

    Raises:
        LoweringError: no view can be made and analysed; it says what was wrong with the first.
    """
    given_up = dict(settings.left_out)
    for reason in given_up.values():
        dropped[f"view failed: {reason}"] += len(own)
    names = [name for name in settings.views if name not in given_up]
    before, wanted = defined_names(maker.text), set(own)
    failures: list[Failure] = []
    for name in names:
        view_note(unit, settings).write_text(name)
        try:
            with ending_after(settings.limits.view_seconds + _GRACE):
                text = maker.make(name)
                functions = analyse(keep_definitions(text, wanted))
        except (LoweringError, IRError, MemoryError) as error:
            # The error itself leads back to here by its traceback: a cycle, and the collector
            # would delete LLVM's objects in any order, a context before its modules.
            failures.append(failure(unit.name, error))
            dropped[f"view failed: {failures[-1].reason}"] += len(own)
            continue
        after = defined_names(text)
        dropped["removed by a pass"] += len(wanted - after)
        dropped["made by a pass"] += len(after - before)
        yield name, functions
    view_note(unit, settings).unlink()
    if len(failures) == len(names):
        first = failures[0]
        raise LoweringError(first.message, stage=first.stage, reason=first.reason)


def distinct(views: Sequence[FunctionView], dropped: Counter[str]) -> Iterator[FunctionView]:
    """The views of one function without those that equal an earlier one, or nearly do."""
    hashes: set[str] = set()
    bags: set[str] = set()
    for view in views:
        if view.hash in hashes:
            dropped["identical view"] += 1
            continue
        hashes.add(view.hash)
        bag = instruction_bag(view.tokens)
        if bag in bags:
            dropped["near-identical view"] += 1
            continue
        bags.add(bag)
        yield view
