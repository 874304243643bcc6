"""The opcodes of LLVM IR in a handful of classes, to see what kind of instruction is learned."""

from __future__ import annotations

_CLASSES = {
    "memory": "alloca load store getelementptr fence cmpxchg atomicrmw va_arg",
    "arithmetic": (
        "add fadd sub fsub mul fmul udiv sdiv fdiv urem srem frem fneg shl lshr ashr and or xor"
    ),
    "compare": "icmp fcmp",
    "control": (
        "br switch indirectbr ret resume unreachable phi select cleanupret catchret catchswitch"
    ),
    "call": "call invoke callbr",
    "cast": (
        "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr "
        "bitcast addrspacecast"
    ),
}
OTHER = "other"
"""Vectors and aggregates, exception pads, freeze, and whatever a later LLVM brings."""

OPCODE_CLASSES = (*_CLASSES, OTHER)
_CLASS_OF = {opcode: name for name, opcodes in _CLASSES.items() for opcode in opcodes.split()}


def opcode_class(opcode: str) -> str:
    """The class of an opcode, one of `OPCODE_CLASSES`."""
    return _CLASS_OF.get(opcode, OTHER)
