"""Stack slots that serve as registers: each use loads or stores the whole slot at its own type.

Unoptimised code keeps every variable in one. In SSA form what such a load gives is the value some
store put there, or a merge of several, so that pointers and indices can be followed through them
as through any other value.
"""

from dataclasses import dataclass

from static_analysis.flow.dominator_tree import DominatorTree
from static_analysis.memory.accesses import Accesses
from static_analysis.memory.actions import CallEffect, Load, Slot, Store
from static_analysis.memory.ssa import (
    FRESH,
    READ,
    RESET,
    SET,
    UNTRACKED,
    Event,
    MemorySSA,
    build_ssa,
)
from static_analysis.reading.ir import Function
from static_analysis.reading.types import Type

_THROUGH_A_POINTER = (Load, Store)


@dataclass(slots=True)
class Registers:
    """The register slots of a function.

    Attributes:
        slots: their names, as lexemes.
        seen: for each load of one in a reachable block, the version it sees.
        ssa: their versions.
    """

    slots: set[str]
    seen: dict[int, int]
    ssa: MemorySSA


def find_registers(function: Function, accesses: Accesses, tree: DominatorTree) -> Registers:
    """Find the register slots of a function and put them into SSA form."""
    slots = _slots_of_one_value(function, accesses)
    if not slots:
        return Registers(set(), {}, MemorySSA())
    numbers = {slot: number for number, slot in enumerate(slots)}
    events = [
        _uses(function, accesses, slots, numbers, block.start, block.stop)
        for block in function.blocks
    ]
    initial = [FRESH if slot in slots else UNTRACKED for slot in numbers]
    ssa = build_ssa(tree, events, initial)
    tracked = {slot for slot in slots if numbers[slot] not in ssa.untracked}
    seen = {load: version for load, _, version in ssa.reads if version != UNTRACKED}
    return Registers(tracked, seen, ssa)


def _slots_of_one_value(function: Function, accesses: Accesses) -> dict[str, Type]:
    slots = {}
    for instruction in function.instructions:
        if instruction.form.opcode == "alloca":
            action = accesses[instruction.form]
            if isinstance(action, Slot) and action.type is not None and action.size:
                slots[instruction.locals[0]] = action.type
    return slots


def _uses(
    function: Function,
    accesses: Accesses,
    slots: dict[str, Type],
    numbers: dict[str, int],
    start: int,
    stop: int,
) -> list[Event]:
    """Return how a block uses slots, and drop the slots that it uses in another way."""
    found: list[Event] = []
    others = accesses.uses
    for index, instruction in enumerate(function.instructions[start:stop], start):
        form, names = instruction.form, instruction.locals
        action = accesses[form]
        if action is None:
            continue
        if isinstance(action, _THROUGH_A_POINTER):
            if isinstance(action.pointer, int):
                name = names[action.pointer]
                wanted = slots.get(name)
                if wanted is action.type:
                    kind = READ if action.__class__ is Load else SET
                    found.append((numbers[name], index, kind))
                elif wanted is not None:
                    del slots[name]
        elif isinstance(action, Slot):
            if start > 0 and names[0] in numbers:
                found.append((numbers[names[0]], index, RESET))
        elif isinstance(action, CallEffect) and action.gives in ("start", "end"):
            if isinstance(action.origin, int) and names[action.origin] in numbers:
                found.append((numbers[names[action.origin]], index, RESET))
            continue
        for hole in others[form]:
            slots.pop(names[hole], None)
    return found
