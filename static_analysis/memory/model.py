"""Which stores a load may read: the front of the memory analysis.

A function's memory is divided into register slots, cells of objects nobody else knows, such
objects as a whole, and all that is shared (``registers``, ``regions``). Each gets versions
(``ssa``), and a walk up the versions finds what a read may read (``reaching``). The result
for a read is complete: whatever wrote what is read, in any execution, is in it. A read without a
result is *unknown*.
"""

from static_analysis.flow.dominator_tree import DominatorTree
from static_analysis.memory.accesses import Accesses
from static_analysis.memory.addresses import Addresses
from static_analysis.memory.choices import settle
from static_analysis.memory.indices import Rules
from static_analysis.memory.pointers import Pointers
from static_analysis.memory.reaching import Found, ReachingStores, Walks, listed, written_by
from static_analysis.memory.regions import SHARED, Events, divide
from static_analysis.memory.registers import Registers, find_registers
from static_analysis.memory.ssa import build_ssa
from static_analysis.memory.traffic import Traffic
from static_analysis.reading.ir import Function, Module

_CONSTANT: Found = (frozenset(), True, False)


class MemoryModel:
    """The memory analysis of one module; what its forms do is worked out once.

    Attributes:
        callees: what is known of the functions that are called.
    """

    def __init__(self, module: Module) -> None:
        self._accesses = Accesses(module)
        self.callees = self._accesses.callees
        self._rules = Rules()

    def reaching_stores(self, function: Function, tree: DominatorTree) -> dict[int, ReachingStores]:
        """Return what each read of a function may read, as far as that is known.

        Args:
            function: the function; instructions are named by their index in it.
            tree: its control flow with the dominator tree.

        Returns:
            For ``load``, ``atomicrmw``, ``cmpxchg`` and copies of a constant length, by index,
            what they may read; nothing for one that may read more than ``MAX_STORES`` writes.
        """
        registers = find_registers(function, self._accesses, tree)
        addresses = Addresses(function, self._accesses, self._rules, tree, registers)
        traffic = Pointers(addresses).follow()
        if traffic.returns_twice:
            return {}
        settle(traffic)
        known = _of_registers(registers)
        known.update(_of_traffic(traffic, tree))
        return known


def reaching_stores(
    function: Function, module: Module, tree: DominatorTree
) -> dict[int, ReachingStores]:
    """Return what each read of one function may read; see ``MemoryModel.reaching_stores``."""
    return MemoryModel(module).reaching_stores(function, tree)


def _of_registers(registers: Registers) -> dict[int, ReachingStores]:
    """Return what the loads of register slots read."""
    ssa = registers.ssa
    known = {
        version: listed([written_by(ssa, version)]) for version in set(registers.seen.values())
    }
    return {load: found for load, version in registers.seen.items() if (found := known[version])}


def _of_traffic(traffic: Traffic, tree: DominatorTree) -> dict[int, ReachingStores]:
    """Return what all other reads read."""
    regions = divide(traffic)
    events = Events(traffic, regions)
    blocks = [events.of_block(block) for block in range(len(traffic.order))]
    ssa = build_ssa(tree, blocks, regions.initial)
    walks = Walks(ssa, tree, traffic, regions.first_cell)
    found: dict[int, list[Found | None]] = {
        index: [_CONSTANT] for index, location in traffic.reads.items() if location[0].is_constant
    }
    for index, variable, version in ssa.reads:
        unordered = variable != SHARED or index not in traffic.ordered
        source = walks.find(traffic.reads[index], variable, version) if unordered else None
        found.setdefault(index, []).append(source)
    return {index: known for index, sources in found.items() if (known := listed(sources))}
