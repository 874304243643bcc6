"""The environment encoding of the original OSCAR, ``env-1``, for comparison.

Its form was worked out from what the original (Peng et al., ICML 2021) prints for 60 modules;
opcodes that do not occur there follow their nearest relatives. Its two faults are mended: a load
lists only values stored where it reads, and the positions of a branch, which are the same for
every encoding, are the right way round.

    entry := "loop" "=" depth [";" effect]

Arguments are ``a0, a1, …``, results ``v0, v1, …``, stack slots used as addresses ``m0, m1, …``.
Constants other than numbers and null are ``<const>``; what is not understood is ``?``.
"""

from static_analysis.encoding.env1_words import (
    BINARY,
    CONVERSIONS,
    RELATIONS,
    constant,
    mask,
    separated,
)
from static_analysis.encoding.scene import ModuleContext, Scene
from static_analysis.reading.form import Form, Operand
from static_analysis.reading.ir import Instruction


class OriginalEnvironment:
    """Encodes the functions of one module."""

    def __init__(self, context: ModuleContext) -> None:
        """Take the module in; this encoding keeps nothing from one function to the next."""

    def encode(self, scene: Scene) -> list[list[str]]:
        """Return the environment entry of every instruction of a function."""
        effects = _Effects(scene)
        entries: list[list[str]] = []
        for block, depth in zip(scene.function.blocks, scene.loops.depth, strict=True):
            for index in range(block.start, block.stop):
                effect = effects[index]
                entries.append(["loop", "=", str(depth), *[";"] * bool(effect), *effect])
        return entries


class _Effects:
    """Spells what the instructions of one function do."""

    def __init__(self, scene: Scene) -> None:
        self._reaching = scene.reaching
        self._instructions = scene.function.instructions
        parameters = scene.function.parameters
        results = [found.locals[0] for found in self._instructions if found.form.has_result]
        slots = [found.locals[0] for found in self._instructions if found.opcode == "alloca"]
        self._values = {local: f"a{number}" for number, local in enumerate(parameters)}
        self._values |= {local: f"v{number}" for number, local in enumerate(results)}
        self._slots = {local: f"m{number}" for number, local in enumerate(slots)}

    def __getitem__(self, index: int) -> list[str]:
        """Return the tokens after the semicolon; none where nothing is defined."""
        instruction = self._instructions[index]
        form = instruction.form
        match form.opcode:
            case "ret" if form.operands:
                return ["ret", "=", *self._all(instruction)]
            case "store":
                value, pointer = form.operands
                stored = self._value(instruction, value)
                return [stored, "->", *self._place(instruction, pointer)]
            case "load":
                place = self._place(instruction, form.operands[0])
                return [self._result(instruction), "<-", *place, *self._read(index)]
        if form.has_result:
            return [self._result(instruction), "=", *self._computed(instruction, form)]
        return []

    def _computed(self, instruction: Instruction, form: Form) -> list[str]:
        """Return what defines a result that does not come from memory."""
        values = self._all(instruction)
        opcode = form.opcode
        if opcode in BINARY:
            return [values[0], BINARY[opcode], values[1]]
        if opcode in CONVERSIONS:
            return [*CONVERSIONS[opcode], *values]
        match opcode:
            case "icmp" | "fcmp":
                return [values[0], RELATIONS.get(form.predicate, form.predicate), values[1]]
            case "alloca":
                return ["reference", self._slots[instruction.locals[0]]]
            case "getelementptr":
                base = self._address(instruction, form.operands[0])
                return ["gep", base, *values[1:]]
            case "select":
                return ["select", *values]
            case "phi":
                return separated(values)
            case "extractelement":
                return [values[0], ".", values[1]]
            case "insertelement":
                return ["insert", values[0], ".", values[2], values[1]]
            case "shufflevector":
                vectors = values[:1] if values[1] == "<const>" else values[:2]
                return [*vectors, "[", *mask(form.operands[2]), "]"]
            case "extractvalue":
                return [values[0], ".", *map(str, form.indices)]
            case "insertvalue":
                return ["insert", values[0], ".", *map(str, form.indices), values[1]]
        return ["?"]

    def _read(self, index: int) -> list[str]:
        """Return the values that a load may read, if all stores that may reach it are known."""
        found = self._reaching.get(index)
        stores = [self._instructions[store] for store in found.stores] if found else []
        values = [
            self._value(store, store.form.operands[0])
            for store in stores
            if store.opcode == "store"
        ]
        return ["=", *separated(list(dict.fromkeys(values)))] if values else []

    def _place(self, instruction: Instruction, pointer: Operand) -> list[str]:
        """Return where a load or store goes: a slot, or what a pointer points to."""
        address = self._address(instruction, pointer)
        return [address] if address.startswith("m") else ["dereference", address]

    def _address(self, instruction: Instruction, pointer: Operand) -> str:
        slot = (
            self._slots.get(instruction.locals[pointer.hole]) if pointer.hole is not None else None
        )
        return slot or self._value(instruction, pointer)

    def _result(self, instruction: Instruction) -> str:
        return self._values[instruction.locals[0]]

    def _all(self, instruction: Instruction) -> list[str]:
        return [self._value(instruction, operand) for operand in instruction.form.operands]

    def _value(self, instruction: Instruction, operand: Operand) -> str:
        if operand.hole is not None:
            return self._values[instruction.locals[operand.hole]]
        return constant(operand.lexemes)
