"""Finds what a read may read by walking up the versions of memory.

As in LLVM's MemorySSA (idea only), the walk goes from each version to the one before it, asking
of each write whether it may concern the location, until one has certainly written all of it.

A walk leaves the part of the function that a definition dominates only through a merge that the
definition does not strictly dominate, so merges are where it is checked what the walk has gone
back beyond (``overlap`` says why that matters).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from static_analysis.flow.dominator_tree import DominatorTree
from static_analysis.memory.origins import LOCAL, MEETS, UNKNOWN, Location, Origin, visible_to_calls
from static_analysis.memory.overlap import (
    ALL,
    BEYOND_INDEX,
    BEYOND_ORIGIN,
    NONE,
    SOME,
    WITHIN,
    overlap,
)
from static_analysis.memory.regions import SHARED
from static_analysis.memory.ssa import ENTRY, FRESH, MERGE, UNTRACKED, MemorySSA
from static_analysis.memory.traffic import Traffic, Write

MAX_STORES = 16
_MAX_STEPS = 256  # versions looked at for one read


@dataclass(slots=True)
class ReachingStores:
    """What a load may read.

    Attributes:
        stores: instruction indices, in order, of all in this function that may have written what
            is read: stores, atomic operations, and calls (for what they or their callees write).
        entry: whether memory may still hold what it held when the function was entered.
        uninitialised: whether an object may be read that has not been written.
    """

    stores: tuple[int, ...]
    entry: bool
    uninitialised: bool


Found = tuple[frozenset[int], bool, bool]  # stores, entry, uninitialised


def listed(sources: Sequence[Found | None]) -> ReachingStores | None:
    """Put together what a read finds in several variables; None if one is unknown, or too many."""
    found = sources[0] if len(sources) == 1 else joined(sources)
    if found is None:
        return None
    stores, entry, uninitialised = found
    return ReachingStores(tuple(sorted(stores)), entry, uninitialised)


def joined(sources: Sequence[Found | None]) -> Found | None:
    """Put together what a read may read from several sides; None if one is unknown, or too many."""
    stores: frozenset[int] = frozenset()
    entry = uninitialised = False
    for source in sources:
        if source is None:
            return None
        stores |= source[0]
        entry |= source[1]
        uninitialised |= source[2]
    return (stores, entry, uninitialised) if len(stores) <= MAX_STORES else None


def written_by(ssa: MemorySSA, version: int) -> Found | None:
    """Gather what made a version of a variable all of whose writes concern all of it."""
    if ssa.writers[version] != MERGE and ssa.before[version] == UNTRACKED:
        return frozenset([ssa.writers[version]]), False, False
    seen = {version}
    work = [version]
    stores: set[int] = set()
    while work:
        at = work.pop()
        if at <= ENTRY:
            continue
        if ssa.writers[at] == MERGE:
            further = ssa.incoming[at]
        else:
            stores.add(ssa.writers[at])
            further = [ssa.before[at]] if ssa.before[at] != UNTRACKED else []
        if len(stores) > MAX_STORES or len(seen) + len(further) > 2 * _MAX_STEPS:
            return None
        work += [one for one in further if one not in seen]
        seen.update(further)
    return frozenset(stores), ENTRY in seen, FRESH in seen


class Walks:
    """The walks up one function's memory versions; each is done once."""

    def __init__(
        self, ssa: MemorySSA, tree: DominatorTree, traffic: Traffic, first_cell: int
    ) -> None:
        self._ssa = ssa
        self._tree = tree
        self._writes = traffic.writes
        self._first_cell = first_cell
        self._others_fresh = any(made.is_fresh and made.escaped for made in traffic.objects)
        self._known: dict[Location, dict[int, Found | None]] = {}

    def find(self, location: Location, variable: int, version: int) -> Found | None:
        """Return what a read that sees a version of a variable may read; None if too much."""
        if version == UNTRACKED:
            return None
        known = self._known.setdefault(location, {})
        if version not in known:
            if variable >= self._first_cell:
                known[version] = written_by(self._ssa, version)
            else:
                known[version] = self._walk(location, version, variable == SHARED, known)
        return known[version]

    def _walk(
        self, location: Location, version: int, is_shared: bool, known: dict[int, Found | None]
    ) -> Found | None:
        """Go up from a version to the writes that concern a location.

        What is ``known`` of earlier versions, as other reads of the location see them, is not
        walked again.
        """
        ssa, writes, before, origin = self._ssa, self._writes, self._ssa.before, location[0]
        meets, is_object = MEETS[origin.mask], origin.is_object
        visible = visible_to_calls(origin, location[4]) if is_shared else 0
        stores: set[int] = set()
        ends: set[int] = set()
        seen: dict[int, int] = {}
        further: list[Found] = []
        work = [(version, WITHIN)]
        while work:
            at, crossed = work.pop()
            while at > ENTRY and seen.get(at, -1) < crossed:
                if crossed == WITHIN and at in known:
                    found = known[at]
                    if found is None:
                        return None
                    further.append(found)
                    break
                seen[at] = crossed
                if len(seen) > _MAX_STEPS:
                    return None
                writer = ssa.writers[at]
                if writer == MERGE:
                    if len(ssa.incoming[at]) > _MAX_STEPS:
                        return None
                    crossed = self._crossed(location, ssa.places[at], crossed)
                    work += [(one, crossed) for one in ssa.incoming[at]]
                    break
                write = writes[writer]
                if write.makes is None and not write.kinds and len(write.targets) == 1:
                    base = write.targets[0][0]
                    apart = base.is_object or not base.objects
                    if base is not origin and not meets & base.mask and is_object and apart:
                        at = before[at]
                        continue
                written, fresh = self._effect(location, write, visible, crossed)
                if fresh:
                    ends.add(FRESH)
                if written:
                    stores.add(writer)
                    if len(stores) > MAX_STORES:
                        return None
                if written == ALL or fresh == ALL:
                    break
                at = before[at]
            else:
                if at <= ENTRY:
                    ends.add(at)
        found = frozenset(stores), *self._at_the_top(origin, ends, is_shared)
        return joined([found, *further]) if further else found

    def _crossed(self, location: Location, block: int, crossed: int) -> int:
        """Return what is crossed once a walk goes on above a merge at the top of a block."""
        origin, place = location[0], location[3]
        if not self._tree.dominates_strictly(origin.place, block):
            return BEYOND_ORIGIN
        if place != origin.place and not self._tree.dominates_strictly(place, block):
            return max(crossed, BEYOND_INDEX)
        return crossed

    def _effect(
        self, location: Location, write: Write, visible: int, crossed: int
    ) -> tuple[int, int]:
        """Say how much of a location a write may write, and how much it makes fresh."""
        written = SOME if write.kinds & visible else NONE
        for target in write.targets:
            found = overlap(location, target, crossed)
            if found == ALL and write.definite:
                return ALL, NONE
            written |= min(found, SOME)
        if write.makes is None:
            return written, NONE
        made = self._makes(location[0], write.makes)
        return (written, made) if write.is_fresh else (max(written, made), NONE)

    def _makes(self, origin: Origin, made: Origin) -> int:
        """Say whether an object begun anew is what a pointer of some origin leads to."""
        if made is origin:
            return ALL
        if made in origin.objects or (made.escaped and origin.mask & UNKNOWN):
            return SOME
        return NONE

    def _at_the_top(self, origin: Origin, ends: set[int], is_shared: bool) -> tuple[bool, bool]:
        """Return whether what was there at the start, and whether fresh memory may be read."""
        if not is_shared or ENTRY not in ends:
            return ENTRY in ends, FRESH in ends
        fresh = FRESH in ends or any(known.is_fresh for known in origin.objects)
        fresh = fresh or (bool(origin.mask & UNKNOWN) and self._others_fresh)
        old = bool(origin.mask & ~LOCAL) or not all(known.is_fresh for known in origin.objects)
        return old, fresh
