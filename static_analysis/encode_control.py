"""Environment effects of calls, branches and exception handling."""

from static_analysis.callees import memory_effect
from static_analysis.conditions import MAX_CASES, condition
from static_analysis.encode_values import MAX_LISTED, Encode
from static_analysis.keywords import CALLS, CLOSE, FLAGS, OPEN
from static_analysis.operands import parse_call, skip_type, skip_words, value_of
from static_analysis.positions import unwinds_to_caller
from static_analysis.scene import Scene, shortened

_MAX_CALLEE = 24
_MAX_CLAUSES = 16
_LEFT_OUT = OPEN | CLOSE | {",", "ptr", "within"}


def _call(scene: Scene, index: int, block: int) -> list[str]:
    """Encode a call by callee, arguments, what it may do to memory and flags."""
    instruction = scene.function.instructions[index]
    lexemes = instruction.lexemes()
    call = parse_call(lexemes)
    tokens = [instruction.opcode, *scene.spell(call.callee, _MAX_CALLEE)]
    for argument in call.arguments[:MAX_LISTED]:
        tokens += scene.value(argument)
    tokens += ["more"] * (len(call.arguments) > MAX_LISTED)
    callee = call.callee[0] if call.callee else ""
    tokens += memory_effect(scene.module.groups_at(instruction, callee))
    tokens += lexemes[1 : skip_words(lexemes, 1, FLAGS)]
    return tokens if instruction.opcode == "call" else tokens + _goto(scene, block)


def _goto(scene: Scene, block: int) -> list[str]:
    targets = [f"l{target}" for target in scene.graph.targets[block]]
    return ["goto", *shortened(targets, MAX_LISTED)] if targets else []


def _branch(scene: Scene, index: int, block: int) -> list[str]:
    """Encode ``br``; ``again`` marks a jump that closes a natural loop."""
    targets = scene.graph.targets[block]
    if len(targets) == 1:
        again = ["again"] * ((block, targets[0]) in scene.loops.back_edges)
        return ["goto", f"l{targets[0]}", *again]
    relation = condition(scene, scene.function.instructions[index].parts[0])
    return ["if", *relation, "goto", f"l{targets[0]}", "else", f"l{targets[1]}"]


def _switch(scene: Scene, index: int, block: int) -> list[str]:
    tokens = ["switch", *scene.value(scene.function.instructions[index].parts[0])]
    listed = list(scene.cases[block].items())
    for target, values in listed[:MAX_LISTED]:
        tokens += [*shortened(values, MAX_CASES), "goto", f"l{target}"]
    tokens += ["more"] * (len(listed) > MAX_LISTED)
    return [*tokens, "else", f"l{scene.graph.targets[block][0]}"]


def _return(scene: Scene, index: int, block: int) -> list[str]:
    return ["return", *scene.value(scene.function.instructions[index].parts[0])]


def _pad(scene: Scene, index: int, block: int) -> list[str]:
    """Encode the start of an exception handler by its clauses as printed."""
    instruction = scene.function.instructions[index]
    lexemes = instruction.lexemes()
    start = skip_type(lexemes, 1) if instruction.opcode == "landingpad" else 1
    kept = [lexeme for lexeme in lexemes[start:] if lexeme not in _LEFT_OUT]
    return [instruction.opcode, *scene.spell(kept, _MAX_CLAUSES)]


def _transfer(scene: Scene, index: int, block: int) -> list[str]:
    """Encode what hands control on inside exception handling, and ``indirectbr``."""
    instruction = scene.function.instructions[index]
    first = instruction.parts[0]
    subject = [value_of(first)[0]] if instruction.opcode == "indirectbr" else first[2:3]
    leaves = ["caller"] * unwinds_to_caller(instruction)
    return [instruction.opcode, *scene.spell(subject), *_goto(scene, block), *leaves]


ENCODERS: dict[str, Encode] = {
    **dict.fromkeys(CALLS, _call),
    **dict.fromkeys(("landingpad", "catchpad", "cleanuppad"), _pad),
    **dict.fromkeys(("catchswitch", "catchret", "cleanupret", "indirectbr"), _transfer),
    "br": _branch,
    "switch": _switch,
    "ret": _return,
}
