"""Divides a function's memory into variables for its SSA form.

All memory that others may know is one variable. An object that nobody else knows is one of its
own, or, where every access to it is at a constant offset, one for each stretch of bytes that no
access splits (its *cells*); a write to cells then leaves nothing of what was there before.
"""

from bisect import bisect_left
from dataclasses import dataclass, field

from static_analysis.memory.origins import Location, Origin
from static_analysis.memory.ssa import ADD, ENTRY, FRESH, READ, RESET, SET, Event
from static_analysis.memory.traffic import Traffic, Write

SHARED = 0
_MAX_TOUCHED = 4  # mean number of cells an access touches; beyond, an object has none


@dataclass(slots=True)
class _Use:
    """How an object of which nobody else knows is used; ``ends`` are of constant ranges."""

    ranges: list[tuple[int, int]] = field(default_factory=list)
    whole: int = 0  # accesses that may be anywhere in it
    is_indexed: bool = False


@dataclass(slots=True)
class Regions:
    """The variables.

    Attributes:
        initial: what each variable holds at first, a version of ``ssa``.
        chains: the variable of each object that is one.
        cells: of each object in cells, the offsets at which they begin and the first variable.
        first_cell: the first variable that is a cell.
    """

    initial: list[int] = field(default_factory=lambda: [ENTRY])
    chains: dict[Origin, int] = field(default_factory=dict)
    cells: dict[Origin, tuple[list[int], int]] = field(default_factory=dict)
    first_cell: int = 1


def divide(traffic: Traffic) -> Regions:
    """Choose the variables for the traffic of a function whose origins are settled."""
    uses = {origin: _Use() for origin in traffic.objects if not origin.escaped}
    if uses:
        for location in traffic.reads.values():
            _note(uses, location)
        for write in traffic.writes.values():
            for location in write.targets:
                _note(uses, location)
    regions = Regions()
    in_cells = {}
    for origin, use in uses.items():
        bounds = _bounds(use)
        if bounds is None:
            regions.chains[origin] = len(regions.initial)
            regions.initial.append(_at_first(origin))
        else:
            in_cells[origin] = bounds
    regions.first_cell = len(regions.initial)
    for origin, bounds in in_cells.items():
        regions.cells[origin] = bounds, len(regions.initial)
        regions.initial += [_at_first(origin)] * (len(bounds) - 1)
    return regions


def _at_first(origin: Origin) -> int:
    """Return what an object holds: what the caller left there, if it is an argument's."""
    return FRESH if origin.is_fresh else ENTRY


def _note(uses: dict[Origin, _Use], location: Location) -> None:
    origin, offset, terms, _, size = location
    if origin.is_object:
        use = uses.get(origin)
        if use is None:
            return
        if terms:
            use.is_indexed = True
        elif size is None:
            use.whole += 1
        else:
            use.ranges.append((offset, offset + size))
    else:
        for known in origin.objects:
            if known in uses:
                uses[known].is_indexed = True


def _bounds(use: _Use) -> list[int] | None:
    """Return where cells begin and the last one ends; None for an object not in cells."""
    if use.is_indexed:
        return None
    bounds = sorted({bound for ends in use.ranges for bound in ends})
    touched = use.whole * len(bounds)
    budget = _MAX_TOUCHED * (len(use.ranges) + use.whole) + 16
    for start, stop in use.ranges:
        touched += bisect_left(bounds, stop) - bisect_left(bounds, start)
        if touched > budget:
            return None
    return bounds or [0, 1]


class Events:
    """Spells the traffic of a function as events of its variables."""

    def __init__(self, traffic: Traffic, regions: Regions) -> None:
        self._traffic = traffic
        self._regions = regions

    def of_block(self, block: int) -> list[Event]:
        """Return the events of a block, in order."""
        events: list[Event] = []
        for index in self._traffic.order[block]:
            location = self._traffic.reads.get(index)
            if location is not None and not location[0].is_constant:
                events += [(variable, index, READ) for variable in self._touched(location)]
            write = self._traffic.writes.get(index)
            if write is not None:
                self._write(index, write, events)
        return events

    def _write(self, index: int, write: Write, events: list[Event]) -> None:
        shared = bool(write.kinds)
        first_cell = self._regions.first_cell
        for location in write.targets:
            kind = SET if write.definite and location[0].is_object else ADD
            for variable in self._touched(location):
                if variable == SHARED:
                    shared = True
                else:
                    events.append((variable, index, kind if variable >= first_cell else ADD))
        if write.makes is not None:
            shared |= self._make(index, write.makes, write.is_fresh, events)
        if shared:
            events.append((SHARED, index, ADD))

    def _make(self, index: int, origin: Origin, is_fresh: bool, events: list[Event]) -> bool:
        """Note that an object is made anew; say whether others may know it."""
        if origin in self._regions.chains:
            events.append((self._regions.chains[origin], index, ADD))
        elif origin in self._regions.cells:
            bounds, first = self._regions.cells[origin]
            kind = RESET if is_fresh else SET
            events += [(first + at, index, kind) for at in range(len(bounds) - 1)]
        return origin.escaped

    def _touched(self, location: Location) -> list[int]:
        """Return the variables an access may touch."""
        origin, offset, _, _, size = location
        touched = [SHARED] if origin.mask else []
        for known in origin.objects:
            if known in self._regions.chains:
                touched.append(self._regions.chains[known])
            elif known in self._regions.cells:
                bounds, first = self._regions.cells[known]
                if size is None:
                    touched += range(first, first + len(bounds) - 1)
                else:
                    start, stop = bisect_left(bounds, offset), bisect_left(bounds, offset + size)
                    touched += range(first + start, first + stop)
        return touched
