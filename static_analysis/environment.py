"""The environment encoding: what each instruction does to the abstract environment, in tokens.

An entry is ``context : effect``. The context says how deep in loops the instruction stands and
which condition has been decided on the way; the effect says what is defined, from what, and how
memory and control change. The grammar is written out in ``docs/static_analysis.md``; any change
to it needs another ``ENVIRONMENT_VERSION``.
"""

from static_analysis import encode_control, encode_memory, encode_values
from static_analysis.conditions import context
from static_analysis.scene import Scene

ENVIRONMENT_VERSION = "env-2"
_ENCODERS = encode_values.ENCODERS | encode_memory.ENCODERS | encode_control.ENCODERS


def encode_environment(scene: Scene) -> list[list[str]]:
    """Return the environment entry of every instruction of a function, never an empty one."""
    entries: list[list[str]] = []
    for number, block in enumerate(scene.function.blocks):
        before = context(scene, number)
        for index in range(block.start, block.stop):
            entries.append(before + _effect(scene, index, number))
    return entries


def _effect(scene: Scene, index: int, block: int) -> list[str]:
    instruction = scene.function.instructions[index]
    encode = _ENCODERS.get(instruction.opcode, encode_values.operation)
    tokens = encode(scene, index, block)
    if instruction.result is None:
        return tokens
    return [scene.speller.names[instruction.result], "<-", *tokens]
