"""Environment effects of instructions that touch memory.

``m0, m1, …`` name the memory versions that stores define, in order; a load lists the versions
it may read with the values they hold, or says ``unknown``.
"""

from static_analysis.encode_values import MAX_LISTED, Encode
from static_analysis.ir import Instruction
from static_analysis.keywords import FLAGS
from static_analysis.operands import skip_words, without_ordering
from static_analysis.scene import Scene

MAX_VERSIONS = 4
_MARKS = frozenset({"inalloca", "swifterror"})


def _slot(scene: Scene, index: int, block: int) -> list[str]:
    first, *others = scene.function.instructions[index].parts
    tokens = ["alloca", *scene.spell(first, start=skip_words(first, 1, _MARKS))]
    for part in others:
        if part[0] != "addrspace":
            tokens += scene.value(part)
    return tokens


def _load(scene: Scene, index: int, block: int) -> list[str]:
    pointer, ordering = without_ordering(scene.function.instructions[index].parts[1])
    tokens = ["load", *scene.value(pointer), "from", *_versions(scene, index)]
    return tokens + _how(scene, scene.function.instructions[index], ordering)


def _versions(scene: Scene, index: int) -> list[str]:
    reaching = scene.reaching.get(index)
    if reaching is None:
        return ["unknown"]
    tokens: list[str] = []
    for store in reaching.stores[:MAX_VERSIONS]:
        stored = scene.function.instructions[store].parts[0]
        tokens += [scene.versions[store], *scene.value(stored)]
    tokens += ["more"] * (len(reaching.stores) > MAX_VERSIONS)
    return tokens + ["uninitialised"] * reaching.uninitialised


def _store(scene: Scene, index: int, block: int) -> list[str]:
    instruction = scene.function.instructions[index]
    pointer, ordering = without_ordering(instruction.parts[1])
    operands = [*scene.value(instruction.parts[0]), *scene.value(pointer)]
    return [scene.versions[index], "<-", "store", *operands, *_how(scene, instruction, ordering)]


def _atomic(scene: Scene, index: int, block: int) -> list[str]:
    """Encode ``cmpxchg`` and ``atomicrmw``, which read and write in one step."""
    instruction = scene.function.instructions[index]
    first, *middle, last = instruction.parts
    tokens = [instruction.opcode]
    if instruction.opcode == "atomicrmw":
        tokens.append(first[skip_words(first, 1, FLAGS)])
    last, ordering = without_ordering(last)
    for part in (first, *middle, last):
        tokens += scene.value(part)
    return tokens + _how(scene, instruction, ordering)


def _how(scene: Scene, instruction: Instruction, ordering: list[str]) -> list[str]:
    """Return volatility, scope and ordering."""
    flags = [word for word in instruction.parts[0] if word in FLAGS]
    return flags + scene.spell(ordering)


def _fence(scene: Scene, index: int, block: int) -> list[str]:
    return scene.spell(scene.function.instructions[index].lexemes())


def _next_argument(scene: Scene, index: int, block: int) -> list[str]:
    instruction = scene.function.instructions[index]
    pointer, wanted = instruction.parts
    lexemes = instruction.lexemes()
    kind = scene.spell(lexemes, MAX_LISTED, start=len(lexemes) - len(wanted))
    return ["va_arg", *scene.value(pointer), *kind]


ENCODERS: dict[str, Encode] = {
    "alloca": _slot,
    "load": _load,
    "store": _store,
    "cmpxchg": _atomic,
    "atomicrmw": _atomic,
    "fence": _fence,
    "va_arg": _next_argument,
}
