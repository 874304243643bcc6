"""Which stores a load may read: reaching stores, per stack slot.

A slot is tracked when its address never leaves the function's own loads and stores and each of
them reads or writes the slot whole, at its allocated type. Anything else is left out, and a load
without an entry here is *unknown*: the stores reported for a load always contain the one that
really happens. Tracked slots go through the classic construction of SSA form (Cytron et al.
1991): merge points at iterated dominance frontiers, then one walk over the dominator tree.
"""

from dataclasses import dataclass

from static_analysis.cfg import ControlFlow
from static_analysis.dominators import tree_children
from static_analysis.ir import Function, Module
from static_analysis.slots import Access, returns_twice, slot_accesses, tracked_slots

MAX_STORES = 16
_MAX_SOURCES = 64  # stores and merges looked at for one load
_FRONTIER_BUDGET = 64  # mean size of a dominance frontier beyond which nothing is tracked


@dataclass(frozen=True, slots=True)
class ReachingStores:
    """What a load may read.

    Attributes:
        stores: instruction indices of the stores, in order.
        uninitialised: whether the slot may hold nothing yet.
    """

    stores: tuple[int, ...]
    uninitialised: bool


_UNINITIALISED = -1
_Merge = tuple[int, str]  # (block, slot): a merge of what several edges bring
_Source = int | _Merge  # a store's index, _UNINITIALISED, or a merge


def reaching_stores(
    function: Function, module: Module, graph: ControlFlow, idoms: list[int]
) -> dict[int, ReachingStores]:
    """Return the reaching stores of the loads that have known ones.

    Args:
        function: the function; loads and stores are named by their index in it.
        module: where the attributes of callees stand.
        graph: its control flow.
        idoms: immediate dominators of its blocks.
    """
    if returns_twice(function, module):
        return {}
    accesses = slot_accesses(function, tracked_slots(function))
    frontiers = _dominance_frontiers(graph, idoms)
    if not accesses or frontiers is None:
        return {}
    merges = _place_merges(accesses, frontiers)
    walk = _Renaming(graph, accesses, merges)
    walk.run(tree_children(idoms))
    return {
        load: found
        for load, source in walk.sources.items()
        if (found := _resolve(source, walk.incoming)) is not None
    }


def _dominance_frontiers(graph: ControlFlow, idoms: list[int]) -> list[set[int]] | None:
    """Return each block's dominance frontier, or None where they are too large to be worth it.

    A climb stops at a block that has the merge in its frontier already: all blocks above do too.
    """
    frontiers: list[set[int]] = [set() for _ in idoms]
    budget = _FRONTIER_BUDGET * len(idoms)
    reachable = set(graph.preorder)
    for merge in graph.preorder:
        for block in graph.predecessors[merge]:
            while block in reachable and block != idoms[merge] and merge not in frontiers[block]:
                frontiers[block].add(merge)
                budget -= 1
                block = idoms[block]
                if block < 0:
                    break
        if budget < 0:
            return None
    return frontiers


def _place_merges(accesses: list[list[Access]], frontiers: list[set[int]]) -> dict[int, set[str]]:
    """Return, for each block, the slots of which several definitions meet there."""
    defined_in: dict[str, set[int]] = {}
    for block, found in enumerate(accesses):
        for _, slot, opcode in found:
            if opcode != "load":
                defined_in.setdefault(slot, set()).add(block)
    merges: dict[int, set[str]] = {}
    for slot, blocks in defined_in.items():
        work = list(blocks)
        while work:
            for merge in frontiers[work.pop()]:
                slots = merges.setdefault(merge, set())
                if slot not in slots:
                    slots.add(slot)
                    work.append(merge)
    return merges


class _Renaming:
    """The walk over the dominator tree that tells each load where its value comes from."""

    def __init__(
        self, graph: ControlFlow, accesses: list[list[Access]], merges: dict[int, set[str]]
    ) -> None:
        self.sources: dict[int, _Source] = {}  # by load
        self.incoming: dict[_Merge, set[_Source]] = {}
        self._graph = graph
        self._accesses = accesses
        self._merges = merges
        self._current: dict[str, _Source] = {}

    def run(self, children: list[list[int]]) -> None:
        """Walk all reachable blocks; ``children`` are those of the dominator tree."""
        stack: list[tuple[int, dict[str, _Source] | None]] = [(0, None)]
        while stack:
            block, before = stack.pop()
            if before is not None:
                self._current.update(before)
                continue
            stack.append((block, self._enter(block)))
            stack.extend((child, None) for child in children[block])

    def _enter(self, block: int) -> dict[str, _Source]:
        """Go through a block; return what was current before, for the slots it changed."""
        before: dict[str, _Source] = {}
        for slot in self._merges.get(block, ()):
            self._define(slot, (block, slot), before)
        for index, slot, opcode in self._accesses[block]:
            if opcode == "load":
                self.sources[index] = self._current.get(slot, _UNINITIALISED)
            else:
                self._define(slot, index if opcode == "store" else _UNINITIALISED, before)
        for successor in self._graph.successors[block]:
            for slot in self._merges.get(successor, ()):
                source = self._current.get(slot, _UNINITIALISED)
                self.incoming.setdefault((successor, slot), set()).add(source)
        return before

    def _define(self, slot: str, source: _Source, before: dict[str, _Source]) -> None:
        before.setdefault(slot, self._current.get(slot, _UNINITIALISED))
        self._current[slot] = source


def _resolve(source: _Source, incoming: dict[_Merge, set[_Source]]) -> ReachingStores | None:
    """Follow merges to the stores behind them; None beyond ``MAX_STORES`` of them."""
    seen: set[_Source] = {source}
    work = [source]
    while work:
        at = work.pop()
        if isinstance(at, tuple):
            fresh = incoming.get(at, set()) - seen
            seen |= fresh
            work.extend(fresh)
            if len(seen) > _MAX_SOURCES:
                return None
    stores = sorted(at for at in seen if isinstance(at, int) and at != _UNINITIALISED)
    if len(stores) > MAX_STORES:
        return None
    return ReachingStores(tuple(stores), _UNINITIALISED in seen)
