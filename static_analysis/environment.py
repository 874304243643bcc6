"""The environment encoding: what each instruction does to the abstract environment, in tokens.

An entry is ``context : effect``. The context says how deep in loops the instruction stands and
which condition has been decided on the way (``guards``); the effect says what is defined, from
what, and how control or memory change. The grammar is written out in ``docs/static_analysis.md``;
any change to it needs another ``ENVIRONMENT_VERSION``.
"""

from collections.abc import Callable

from static_analysis.effects import memory_effect
from static_analysis.ir import Instruction
from static_analysis.operands import (
    CLOSE,
    FLAGS,
    OPEN,
    ORDERINGS,
    parse_call,
    skip_type,
    skip_words,
    split,
    value_of,
    without_ordering,
)
from static_analysis.scene import Scene

ENVIRONMENT_VERSION = "env-2"
MAX_OPERAND = 12
MAX_LISTED = 8
MAX_DEPTH = 9
_PUNCTUATION = OPEN | CLOSE | {","}
_MARKS = frozenset({"inalloca", "swifterror"})


def encode_environment(scene: Scene) -> list[list[str]]:
    """Return the environment entry of every instruction of a function."""
    encoder = _Encoder(scene)
    entries: list[list[str]] = []
    for number, block in enumerate(scene.function.blocks):
        context = encoder.context(number)
        for index in range(block.start, block.stop):
            entries.append(context + encoder.effect(index, number))
    return entries


def _shortened(tokens: list[str], limit: int = MAX_OPERAND) -> list[str]:
    return tokens if len(tokens) <= limit else [*tokens[:limit], "more"]


class _Encoder:
    """Encodes the instructions of one function; one method per group of opcodes."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._cases: dict[int, dict[int, list[str]]] = {}
        self._memory_versions: dict[int, str] = {}
        for index, instruction in enumerate(scene.function.instructions):
            if instruction.opcode == "store":
                self._memory_versions[index] = f"m{len(self._memory_versions)}"

    def context(self, block: int) -> list[str]:
        """Return the tokens before the effect, the same for a whole block."""
        scene = self._scene
        if not scene.is_reachable(block):
            return ["dead", ":"]
        tokens = [f"d{min(scene.loops.depth[block], MAX_DEPTH)}"]
        if block in scene.loops.irreducible:
            tokens.append("irreducible")
        guard = scene.guards[block]
        return [*tokens, *(self._guard(*guard) if guard else ()), ":"]

    def effect(self, index: int, block: int) -> list[str]:
        """Return the tokens of what an instruction does."""
        instruction = self._scene.function.instructions[index]
        encode = _ENCODERS.get(instruction.opcode, _Encoder._operation)
        tokens = encode(self, instruction, index, block)
        if instruction.result is None:
            return tokens
        return [self._scene.speller.names[instruction.result], "<-", *tokens]

    def _value(self, part: list[str]) -> list[str]:
        return _shortened(self._scene.speller.spell(value_of(part)))

    def _spell(self, lexemes: list[str], limit: int = MAX_OPERAND) -> list[str]:
        return _shortened(self._scene.speller.spell(lexemes), limit)

    # Conditions

    def _guard(self, chooser: int, chosen: int) -> list[str]:
        terminator = self._scene.terminator(chooser)
        targets = self._scene.graph.targets[chooser]
        if terminator.opcode == "br":
            word = "when" if targets[0] == chosen else "unless"
            return [word, *self._condition(terminator.parts[0])]
        if terminator.opcode == "switch":
            subject = self._value(terminator.parts[0])
            if targets[0] == chosen:
                return ["default", *subject]
            return ["case", *subject, *self._case_values(chooser)[chosen]]
        if terminator.opcode in ("invoke", "callbr"):
            return ["normal" if targets[0] == chosen else "unwind"]
        return ["handler"] if terminator.opcode == "catchswitch" else ["indirect"]

    def _condition(self, part: list[str]) -> list[str]:
        """Spell a condition as the relation that defines it, where one does."""
        definition = self._scene.definitions.get(part[-1])
        if definition is not None:
            instruction = self._scene.function.instructions[definition]
            if instruction.opcode in ("icmp", "fcmp"):
                return self._comparison(instruction, definition, 0)
        return self._value(part)

    def _case_values(self, block: int) -> dict[int, list[str]]:
        """Return the case values that lead to each target of a switch, a few of each."""
        found = self._cases.get(block)
        if found is None:
            found = self._cases[block] = {}
            labels = self._scene.terminator(block).parts[1]
            values = [
                labels[at - 1]
                for at, lexeme in enumerate(labels)
                if lexeme == "," and labels[at + 1] == "label"
            ]
            targets = self._scene.graph.targets[block][1:]
            for value, target in zip(values, targets, strict=True):
                found.setdefault(target, []).extend(self._spell([value]))
            found.update((target, _shortened(values, 3)) for target, values in found.items())
        return found

    # Values

    def _operation(self, instruction: Instruction, index: int, block: int) -> list[str]:
        first, *others = instruction.parts
        tokens = [instruction.opcode]
        for part in (first[1:], *others):
            if part:
                tokens += self._value(part)
        return tokens + [word for word in first if word in FLAGS]

    def _comparison(self, instruction: Instruction, index: int, block: int) -> list[str]:
        first, second = instruction.parts
        flags = [word for word in first if word in FLAGS]
        predicate = first[skip_words(first, 1, FLAGS)]
        head = f"f{predicate}" if instruction.opcode == "fcmp" else predicate
        return [head, *self._value(first), *self._value(second), *flags]

    def _cast(self, instruction: Instruction, index: int, block: int) -> list[str]:
        part = instruction.parts[0]
        to = len(part) - 1 - part[::-1].index("to")
        flags = [word for word in part[:to] if word in FLAGS]
        target = self._spell(part[to + 1 :])
        return [instruction.opcode, *self._value(part[:to]), *target, *flags]

    def _address(self, instruction: Instruction, index: int, block: int) -> list[str]:
        first, *operands = instruction.parts
        start = skip_words(first, 1, FLAGS)
        tokens = [instruction.opcode]
        for part in operands[:MAX_LISTED]:
            tokens += self._value(part)
        return [*tokens, "of", *self._spell(first[start:], 6), *first[1:start]]

    def _phi(self, instruction: Instruction, index: int, block: int) -> list[str]:
        tokens = ["phi"]
        for part in instruction.parts[:MAX_LISTED]:
            value, label = part[part.index("[") + 1 : -1], part[-2]
            tokens += self._value(value[:-2]) + self._spell([label])
        return tokens + ["more"] * (len(instruction.parts) > MAX_LISTED)

    def _words(self, instruction: Instruction, index: int, block: int) -> list[str]:
        """Encode by the words as printed, without punctuation and pointer types."""
        kept = [word for word in instruction.lexemes()[1:] if word not in _PUNCTUATION]
        spelt = self._spell(
            [word for word in kept if word not in ("ptr", "within")], 2 * MAX_LISTED
        )
        return [instruction.opcode, *spelt]

    # Memory

    def _slot(self, instruction: Instruction, index: int, block: int) -> list[str]:
        first, *others = instruction.parts
        tokens = ["alloca", *self._spell(first[skip_words(first, 1, _MARKS) :])]
        return tokens + [
            token for part in others if part[0] != "addrspace" for token in self._value(part)
        ]

    def _load(self, instruction: Instruction, index: int, block: int) -> list[str]:
        first, (*_, pointer), ordering = self._access(instruction)
        tokens = ["load", *pointer, "from"]
        reaching = self._scene.reaching.get(index)
        if reaching is None:
            return [*tokens, "unknown", *first, *ordering]
        for store in reaching.stores[: MAX_LISTED // 2]:
            stored = self._scene.function.instructions[store].parts[0]
            tokens += [self._memory_versions[store], *self._value(stored)]
        tokens += ["more"] * (len(reaching.stores) > MAX_LISTED // 2)
        return tokens + ["uninitialised"] * reaching.uninitialised + first + ordering

    def _store(self, instruction: Instruction, index: int, block: int) -> list[str]:
        flags, (value, pointer), ordering = self._access(instruction)
        version = self._memory_versions[index]
        return [version, "<-", "store", *value, *pointer, *flags, *ordering]

    def _atomic(self, instruction: Instruction, index: int, block: int) -> list[str]:
        flags, values, ordering = self._access(instruction)
        operation = [] if instruction.opcode != "atomicrmw" else self._rmw_operation(instruction)
        spelt = [token for value in values for token in value]
        return [instruction.opcode, *operation, *spelt, *flags, *ordering]

    def _rmw_operation(self, instruction: Instruction) -> list[str]:
        first = instruction.parts[0]
        return [first[skip_words(first, 1, FLAGS)]]

    def _access(self, instruction: Instruction) -> tuple[list[str], list[list[str]], list[str]]:
        """Return flags, spelt operands and ordering words of an access to memory."""
        last, ordering = without_ordering(instruction.parts[-1])
        parts = [*instruction.parts[:-1], last]
        flags = [word for word in parts[0] if word in FLAGS]
        words = [word for word in ordering if word in ORDERINGS]
        return flags, [self._value(part) for part in parts], words

    # Calls and control

    def _call(self, instruction: Instruction, index: int, block: int) -> list[str]:
        scene = self._scene
        call = parse_call(instruction.lexemes())
        tokens = [instruction.opcode, *self._spell(call.callee, 2 * MAX_OPERAND)]
        for argument in call.arguments[:MAX_LISTED]:
            tokens += self._value(argument)
        tokens += ["more"] * (len(call.arguments) > MAX_LISTED)
        callee = call.callee[0] if call.callee else ""
        groups = instruction.groups + scene.module.callables.get(callee, ())
        tokens += memory_effect(groups, scene.module)
        if instruction.opcode == "call":
            return tokens
        return tokens + self._goes_to(block)

    def _goes_to(self, block: int) -> list[str]:
        targets = [f"l{target}" for target in self._scene.graph.targets[block]]
        return _shortened(["goto", *targets])

    def _branch(self, instruction: Instruction, index: int, block: int) -> list[str]:
        true, *rest = self._scene.graph.targets[block]
        if not rest:
            back = (block, true) in self._scene.loops.back_edges
            return ["goto", f"l{true}"] + ["again"] * back
        condition = self._condition(instruction.parts[0])
        return ["if", *condition, "goto", f"l{true}", "else", f"l{rest[0]}"]

    def _switch(self, instruction: Instruction, index: int, block: int) -> list[str]:
        tokens = ["switch", *self._value(instruction.parts[0])]
        listed = list(self._case_values(block).items())
        for target, values in listed[:MAX_LISTED]:
            tokens += [*values, "goto", f"l{target}"]
        tokens += ["more"] * (len(listed) > MAX_LISTED)
        return [*tokens, "else", f"l{self._scene.graph.targets[block][0]}"]

    def _return(self, instruction: Instruction, index: int, block: int) -> list[str]:
        return ["return", *self._value(instruction.parts[0][1:])]

    def _transfer(self, instruction: Instruction, index: int, block: int) -> list[str]:
        part = instruction.parts[0]
        subject = [part[2]] if len(part) > 2 and part[1] == "from" else []
        subject = value_of(part) if instruction.opcode == "indirectbr" else subject
        leaves = ["caller"] * (instruction.parts[-1][-1] == "caller")
        return [instruction.opcode, *self._spell(subject), *self._goes_to(block), *leaves]

    def _type_of_argument(self, instruction: Instruction, index: int, block: int) -> list[str]:
        return ["va_arg", *self._value(instruction.parts[0]), *self._spell(instruction.parts[1])]


_Encode = Callable[[_Encoder, Instruction, int, int], list[str]]
_CASTS = (
    "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr "
    "bitcast addrspacecast"
).split()
_ENCODERS: dict[str, _Encode] = {
    **dict.fromkeys(_CASTS, _Encoder._cast),
    **dict.fromkeys(("icmp", "fcmp"), _Encoder._comparison),
    **dict.fromkeys(("call", "invoke", "callbr"), _Encoder._call),
    **dict.fromkeys(("cmpxchg", "atomicrmw"), _Encoder._atomic),
    **dict.fromkeys(("landingpad", "catchpad", "cleanuppad", "fence"), _Encoder._words),
    **dict.fromkeys(("catchswitch", "catchret", "cleanupret", "indirectbr"), _Encoder._transfer),
    "getelementptr": _Encoder._address,
    "phi": _Encoder._phi,
    "alloca": _Encoder._slot,
    "load": _Encoder._load,
    "store": _Encoder._store,
    "br": _Encoder._branch,
    "switch": _Encoder._switch,
    "ret": _Encoder._return,
    "va_arg": _Encoder._type_of_argument,
}
