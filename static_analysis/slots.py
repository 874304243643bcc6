"""Stack slots whose every access is known, and the calls that make even those uncertain."""

from static_analysis.ir import Function, Instruction, Module
from static_analysis.keywords import CALLS
from static_analysis.operands import (
    parse_call,
    skip_type,
    skip_words,
    value_of,
    without_ordering,
)

Access = tuple[int, str, str]  # instruction, slot, opcode: load, store or (a fresh slot) alloca
_MODIFIERS = frozenset({"volatile", "atomic"})
_RETURNING_TWICE = frozenset(
    {
        *("@setjmp", "@_setjmp", "@_setjmpex", "@sigsetjmp", "@__sigsetjmp"),
        *("@llvm.eh.sjlj.setjmp", "@savectx", "@getcontext", "@vfork"),
    }
)
_LIFETIME = "@llvm.lifetime."


def returns_twice(function: Function, module: Module) -> bool:
    """Say whether a call may return twice: then control takes edges the graph does not show."""
    for instruction in function.instructions:
        if instruction.opcode in CALLS:
            callee = _callee(instruction)
            groups = module.groups_at(instruction, callee)
            if callee in _RETURNING_TWICE or any("returns_twice" in group for group in groups):
                return True
    return False


def _callee(instruction: Instruction) -> str:
    return (parse_call(instruction.lexemes()).callee or [""])[0]


def tracked_slots(function: Function) -> dict[str, list[str]]:
    """Return the stack slots that are only ever loaded and stored whole, with their types.

    A slot is an ``alloca`` of one value. One use of its address of any other kind, be it a call,
    a comparison or an access at another type, and the slot is not in the result.
    """
    slots: dict[str, list[str]] = {}
    for instruction in function.instructions:
        if instruction.opcode == "alloca" and len(instruction.parts) == 1 and instruction.result:
            slots[instruction.result] = instruction.parts[0][1:]
    for instruction in function.instructions:
        for part in instruction.parts:
            if not slots.keys().isdisjoint(part):
                _drop_leaking(instruction, slots)
                break
    return slots


def _drop_leaking(instruction: Instruction, slots: dict[str, list[str]]) -> None:
    """Take away the slots that an instruction uses in another way than whole."""
    lexemes = instruction.lexemes()
    allowed = _used_whole(instruction, slots)
    for lexeme in lexemes:
        if lexeme in slots and (lexeme != allowed or lexemes.count(lexeme) > 1):
            del slots[lexeme]


def _used_whole(instruction: Instruction, slots: dict[str, list[str]]) -> str | None:
    """Return the slot an instruction accesses whole (or only marks alive), else None."""
    first = instruction.parts[0]
    if instruction.opcode == "call":
        marks_alive = _callee(instruction).startswith(_LIFETIME)
        return value_of(first[:-1])[0] if marks_alive else None
    if instruction.opcode not in ("load", "store"):
        return None
    slot = _address(instruction)
    start = skip_words(first, 1, _MODIFIERS)
    return slot if slots.get(slot) == first[start : skip_type(first, start)] else None


def _address(access: Instruction) -> str:
    """Return the last lexeme of what a load or store accesses."""
    return without_ordering(access.parts[1])[0][-1]


def slot_accesses(function: Function, slots: dict[str, list[str]]) -> list[list[Access]]:
    """Return the loads, stores and makings of the given slots, block by block, in order."""
    accesses: list[list[Access]] = []
    for block in function.blocks:
        found: list[Access] = []
        for index in range(block.start, block.stop):
            instruction = function.instructions[index]
            slot = instruction.result
            if instruction.opcode in ("load", "store"):
                slot = _address(instruction)
            elif instruction.opcode != "alloca":
                continue
            if slot in slots:
                found.append((index, slot, instruction.opcode))
        accesses.append(found)
    return accesses
