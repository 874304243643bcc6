"""Environment effects of instructions that compute a value from values.

Every encoder takes the scene, the index of an instruction and its block, and returns the tokens
that stand after ``v… <-``.
"""

from collections.abc import Callable

from static_analysis.conditions import comparison
from static_analysis.keywords import CASTS, FLAGS
from static_analysis.operands import opening, skip_words
from static_analysis.scene import Scene

Encode = Callable[[Scene, int, int], list[str]]
MAX_LISTED = 8


def operation(scene: Scene, index: int, block: int) -> list[str]:
    """Encode an operation by opcode, operands and flags; what no other encoder is made for."""
    instruction = scene.function.instructions[index]
    first, *others = instruction.parts
    tokens = [instruction.opcode]
    for part in (first[1:], *others):
        if part:
            tokens += scene.value(part)
    return tokens + [word for word in first if word in FLAGS]


def _compare(scene: Scene, index: int, block: int) -> list[str]:
    return comparison(scene, scene.function.instructions[index])


def _cast(scene: Scene, index: int, block: int) -> list[str]:
    instruction = scene.function.instructions[index]
    part = instruction.parts[0]
    to = len(part) - 1 - part[::-1].index("to")
    flags = [word for word in part[:to] if word in FLAGS]
    target = scene.spell(part, start=to + 1)
    return [instruction.opcode, *scene.value(part[:to]), *target, *flags]


def _address(scene: Scene, index: int, block: int) -> list[str]:
    """Encode ``getelementptr``: base, indices, ``of`` the type stepped through, flags."""
    first, *operands = scene.function.instructions[index].parts
    start = skip_words(first, 1, FLAGS)
    tokens = ["getelementptr"]
    for part in operands[:MAX_LISTED]:
        tokens += scene.value(part)
    return [*tokens, "of", *scene.spell(first, 6, start), *first[1:start]]


def _phi(scene: Scene, index: int, block: int) -> list[str]:
    """Encode ``phi`` by pairs of value and block it comes from, and flags."""
    parts = scene.function.instructions[index].parts
    tokens = ["phi"]
    for part in parts[:MAX_LISTED]:
        if part[-1] == "]":
            pair = part[opening(part, len(part) - 1) + 1 : -1]
            tokens += scene.value(pair[:-2]) + scene.spell(pair[-1:])
    tokens += ["more"] * (len(parts) > MAX_LISTED)
    return tokens + parts[0][1 : skip_words(parts[0], 1, FLAGS)]


ENCODERS: dict[str, Encode] = {
    **dict.fromkeys(CASTS, _cast),
    "icmp": _compare,
    "fcmp": _compare,
    "getelementptr": _address,
    "phi": _phi,
}
