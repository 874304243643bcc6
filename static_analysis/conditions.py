"""Conditions in words: comparisons, and what has been decided on the way to a block."""

from static_analysis.ir import Instruction
from static_analysis.keywords import FLAGS
from static_analysis.operands import skip_words
from static_analysis.scene import Scene, shortened

MAX_DEPTH = 9
MAX_CASES = 3
_OTHER_WAYS = {"invoke": "unwind", "catchswitch": "handler"}


def comparison(scene: Scene, instruction: Instruction) -> list[str]:
    """Spell ``icmp`` and ``fcmp``: predicate, operands, flags.

    Predicates of ``fcmp`` have an ``f`` in front, so that ``ult`` (unsigned) and ``fult``
    (unordered or less) stay apart.
    """
    first, second = instruction.parts
    predicate = first[skip_words(first, 1, FLAGS)]
    head = f"f{predicate}" if instruction.opcode == "fcmp" else predicate
    flags = [word for word in first if word in FLAGS]
    return [head, *scene.value(first), *scene.value(second), *flags]


def condition(scene: Scene, part: list[str]) -> list[str]:
    """Spell the condition that ends a part as the comparison that defines it, if one does."""
    definition = scene.definitions.get(part[-1])
    if definition is not None:
        instruction = scene.function.instructions[definition]
        if instruction.opcode in ("icmp", "fcmp"):
            return comparison(scene, instruction)
    return scene.value(part)


def context(scene: Scene, block: int) -> list[str]:
    """Return how deep in loops a block stands and what guards it, up to the colon."""
    if not scene.is_reachable(block):
        return ["dead", ":"]
    tokens = [f"d{min(scene.loops.depth[block], MAX_DEPTH)}"]
    if block in scene.loops.irreducible:
        tokens.append("irreducible")
    guard = scene.guards[block]
    if guard is not None:
        tokens += _guard(scene, *guard)
    return [*tokens, ":"]


def _guard(scene: Scene, chooser: int, chosen: int) -> list[str]:
    """Spell the choice of one successor by a block with several."""
    terminator = scene.terminator(chooser)
    is_first = scene.graph.targets[chooser][0] == chosen
    if terminator.opcode == "br":
        return ["when" if is_first else "unless", *condition(scene, terminator.parts[0])]
    if terminator.opcode == "switch":
        return _case(scene, chooser, chosen, scene.value(terminator.parts[0]))
    if is_first and terminator.opcode in ("invoke", "callbr"):
        return ["normal"]
    return [_OTHER_WAYS.get(terminator.opcode, "indirect")]


def _case(scene: Scene, chooser: int, chosen: int, subject: list[str]) -> list[str]:
    values = shortened(scene.cases[chooser].get(chosen, []), MAX_CASES)
    is_default = scene.graph.targets[chooser][0] == chosen
    return ["default" if is_default else "case", *subject, *values]
