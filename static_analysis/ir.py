"""The object model of LLVM IR text: module, function, block, instruction.

Operands stay lexemes: an instruction keeps the comma-separated parts of what stands after its
result, which is enough for every analysis here and costs one list per part.
"""

from dataclasses import dataclass, field


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
        joined = list(self.parts[0])
        for part in self.parts[1:]:
            joined.append(",")
            joined += part
        return joined


@dataclass(slots=True)
class Block:
    """A basic block: its label as a lexeme (``%12``) and its range of instructions."""

    label: str
    start: int
    stop: int


@dataclass(slots=True)
class Function:
    """A function with a body; ``instructions`` is flat, ``blocks`` cuts it into ranges.

    Name and parameters are lexemes (``@f``, ``%0``).
    """

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

    def groups_at(self, instruction: Instruction, callee: str) -> list[str]:
        """Return the texts of the attribute groups that hold for a call, the call's own first."""
        names = instruction.groups + self.callables.get(callee, ())
        return [self.groups.get(name, "") for name in names]
