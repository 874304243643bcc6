"""Memory in SSA form: which version of a piece of memory each read sees.

A *variable* is any piece of memory that is read and written as one: a stack slot, some bytes of
an object, or all memory that is shared. Its versions are made by the classic construction
(Cytron et al., "Efficiently computing static single assignment form", TOPLAS 1991): merges at
iterated dominance frontiers, then one walk over the dominator tree. A write that may leave
something of the old content keeps a link to the version before it, as in Novillo, "Memory SSA"
(GCC Summit 2007). Merges are left out for variables that no block reads before it has
overwritten them (Briggs et al., "Practical improvements to SSA", 1998, semi-pruned form).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from static_analysis.flow.cfg import ControlFlow
from static_analysis.flow.dominator_tree import DominatorTree

READ, ADD, SET, RESET = range(4)
FRESH, ENTRY = 0, 1  # versions every variable may start with: never written; as at the call
MERGE = -1  # stands for the writer of a version that merges others
UNTRACKED = -1
_MERGE_BUDGET = 16  # merges for each event, over all variables

Event = tuple[int, int, int]  # (variable, instruction, READ | ADD | SET | RESET)


@dataclass(slots=True)
class MemorySSA:
    """Versions of memory, numbered from ``FRESH`` and ``ENTRY`` on.

    Attributes:
        writers: the instruction that made each version, or ``MERGE``.
        before: the version a write may have left something of, or ``UNTRACKED`` if it left
            nothing.
        incoming: for each merge, the versions it merges, without repeats.
        places: for each merge, the block it stands at the top of.
        reads: (instruction, variable, version seen) of every read in a reachable block; the
            version is ``UNTRACKED`` for variables that would need too many merges.
        untracked: these variables.
    """

    writers: list[int] = field(default_factory=lambda: [MERGE, MERGE])
    before: list[int] = field(default_factory=lambda: [UNTRACKED, UNTRACKED])
    incoming: dict[int, list[int]] = field(default_factory=dict)
    places: dict[int, int] = field(default_factory=dict)
    reads: list[tuple[int, int, int]] = field(default_factory=list)
    untracked: set[int] = field(default_factory=set)


def build_ssa(
    tree: DominatorTree, events: Sequence[Sequence[Event]], initial: list[int]
) -> MemorySSA:
    """Build the versions of some variables.

    Args:
        tree: the control flow with its dominator tree.
        events: for each block, what happens to the variables, in order. ``ADD`` is a write that
            may leave old content, ``SET`` one that leaves none, ``RESET`` makes a variable fresh.
        initial: the version each variable starts with, ``UNTRACKED`` for one that is of no
            interest; its length is their number.
    """
    ssa = MemorySSA()
    current = list(initial)
    merges = _place_merges(tree, events, current, ssa)
    _Renaming(tree.graph, events, merges, current, ssa).run(tree.children)
    for merge, versions in ssa.incoming.items():
        ssa.incoming[merge] = list(dict.fromkeys(versions))
    return ssa


def _place_merges(
    tree: DominatorTree, events: Sequence[Sequence[Event]], current: list[int], ssa: MemorySSA
) -> dict[int, list[tuple[int, int]]]:
    """Make the merges; return those of each block as (variable, version)."""
    defined_in, exposed = _summary(events)
    merges: dict[int, list[tuple[int, int]]] = {}
    budget = _MERGE_BUDGET * sum(map(len, events))
    for variable in exposed & defined_in.keys():
        blocks = defined_in[variable]
        if blocks == {0} or current[variable] == UNTRACKED or len(tree.graph.preorder) == 1:
            continue
        found = _iterated(tree.frontiers, blocks)
        budget -= len(found or ())
        if found is None or budget < 0:
            current[variable] = UNTRACKED
            ssa.untracked.add(variable)
            continue
        for block in found:
            merges.setdefault(block, []).append((variable, len(ssa.writers)))
            ssa.incoming[len(ssa.writers)] = []
            ssa.places[len(ssa.writers)] = block
            ssa.writers.append(MERGE)
            ssa.before.append(UNTRACKED)
    return merges


def _summary(events: Sequence[Sequence[Event]]) -> tuple[dict[int, set[int]], set[int]]:
    """Return the blocks that write each variable, and the variables read as they came in."""
    defined_in: dict[int, set[int]] = {}
    exposed: set[int] = set()
    for block, found in enumerate(events):
        if not found:
            continue
        overwritten: set[int] = set()
        for variable, _, kind in found:
            if kind <= ADD and variable not in overwritten:
                exposed.add(variable)
            if kind >= SET:
                overwritten.add(variable)
            if kind >= ADD:
                blocks = defined_in.get(variable)
                if blocks is None:
                    defined_in[variable] = {block}
                else:
                    blocks.add(block)
    return defined_in, exposed


def _iterated(frontiers: list[set[int]], blocks: set[int]) -> list[int] | None:
    """Return the iterated dominance frontier of some blocks; None if there are no frontiers."""
    if not frontiers:
        return None
    found: dict[int, None] = {}
    work = sorted(blocks)
    while work:
        for merge in frontiers[work.pop()]:
            if merge not in found:
                found[merge] = None
                work.append(merge)
    return list(found)


class _Renaming:
    """The walk over the dominator tree that tells each event which version it meets."""

    def __init__(
        self,
        graph: ControlFlow,
        events: Sequence[Sequence[Event]],
        merges: dict[int, list[tuple[int, int]]],
        current: list[int],
        ssa: MemorySSA,
    ) -> None:
        self._successors = graph.successors
        self._events = events
        self._merges = merges
        self._current = current
        self._ssa = ssa

    def run(self, children: list[list[int]]) -> None:
        """Walk all reachable blocks; ``children`` are those of the dominator tree."""
        current = self._current
        stack: list[tuple[int, list[tuple[int, int]] | None]] = [(0, None)]
        while stack:
            block, changed = stack.pop()
            if changed is None:
                changed = self._enter(block)
                below = children[block]
                if below:
                    stack.append((block, changed))
                    stack.extend([(child, None) for child in below])
                    continue
            for variable, version in reversed(changed):
                current[variable] = version

    def _enter(self, block: int) -> list[tuple[int, int]]:
        """Go through a block; return the variables it changed, with what they were before."""
        current, merges = self._current, self._merges
        changed = []
        for variable, merge in merges.get(block, ()):
            changed.append((variable, current[variable]))
            current[variable] = merge
        if self._events[block]:
            self._pass_events(block, changed)
        for successor in self._successors[block] if merges else ():
            for variable, merge in merges.get(successor, ()):
                self._ssa.incoming[merge].append(current[variable])
        return changed

    def _pass_events(self, block: int, changed: list[tuple[int, int]]) -> None:
        current, ssa = self._current, self._ssa
        writers, before, reads = ssa.writers, ssa.before, ssa.reads
        for variable, index, kind in self._events[block]:
            version = current[variable]
            if kind == READ:
                reads.append((index, variable, version))
                continue
            if version == UNTRACKED:
                continue
            changed.append((variable, version))
            if kind == RESET:
                current[variable] = FRESH
            else:
                current[variable] = len(writers)
                writers.append(index)
                before.append(version if kind == ADD else UNTRACKED)
