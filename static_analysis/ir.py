"""The object model of LLVM IR text: module, function, block, instruction.

Operands stay lexemes: an instruction keeps the comma-separated parts of what stands after its
result, which is enough for every analysis here and costs one list per part.
"""

from dataclasses import dataclass, field
from itertools import chain

CALLS = frozenset({"call", "invoke", "callbr"})
TERMINATORS = frozenset(
    "ret br switch indirectbr invoke callbr resume catchswitch catchret cleanupret "
    "unreachable".split()
)
OPCODES = (
    TERMINATORS
    | CALLS
    | frozenset(
        "fneg add fadd sub fsub mul fmul udiv sdiv fdiv urem srem frem shl lshr ashr and or xor "
        "extractelement insertelement shufflevector extractvalue insertvalue "
        "alloca load store fence cmpxchg atomicrmw getelementptr "
        "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr "
        "bitcast addrspacecast "
        "icmp fcmp phi select freeze va_arg landingpad catchpad cleanuppad".split()
    )
)


@dataclass(slots=True)
class Instruction:
    """One instruction.

    Attributes:
        text: the instruction on one line, metadata included.
        result: the local it defines, as a lexeme (``%x``), or None.
        opcode: the opcode word.
        parts: the lexemes from the opcode on, split at the commas outside brackets, without
            what says nothing about meaning (metadata, alignment, attribute groups).
        groups: the attribute groups named, as lexemes (``#3``).
    """

    text: str
    result: str | None
    opcode: str
    parts: list[list[str]]
    groups: tuple[str, ...] = ()

    def lexemes(self) -> list[str]:
        """Return the lexemes from the opcode on, commas included."""
        first, *others = self.parts
        return first + list(chain.from_iterable([",", *part] for part in others))


@dataclass(slots=True)
class Block:
    """A basic block: its label as a lexeme (``%12``) and its range of instructions."""

    label: str
    start: int
    stop: int


@dataclass(slots=True)
class Function:
    """A function with a body; ``instructions`` is flat, ``blocks`` cuts it into ranges."""

    name: str
    linkage: str
    parameters: list[str]
    blocks: list[Block] = field(default_factory=list)
    instructions: list[Instruction] = field(default_factory=list)

    def definitions(self) -> dict[str, int]:
        """Return, for each local an instruction defines, the index of that instruction."""
        return {
            instruction.result: index
            for index, instruction in enumerate(self.instructions)
            if instruction.result is not None
        }


@dataclass(slots=True)
class Module:
    """What one IR text declares.

    Attributes:
        functions: functions with a body, in order.
        types: named types, as lexemes (``%struct.node``).
        callables: attribute groups of every function and function alias, by lexeme (``@f``).
        groups: text of each attribute group, by lexeme (``#0``).
    """

    functions: list[Function] = field(default_factory=list)
    types: set[str] = field(default_factory=set)
    callables: dict[str, tuple[str, ...]] = field(default_factory=dict)
    groups: dict[str, str] = field(default_factory=dict)
