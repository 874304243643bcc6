"""Names: from IR's escaped spelling to text, and from locals to names that mean nothing.

The anonymous names are shared by both streams: ``v0, v1, …`` for values (arguments first, then
results in order of definition), ``l0, l1, …`` for blocks, so that a model cannot tell programs
apart by how a compiler numbered or a programmer named things.
"""

import re

from static_analysis.ir import Function, Instruction

_ELSEWHERE = "elsewhere"
_ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2}|\\)")


def unescape(lexeme: str) -> str:
    """Return the name a lexeme spells: sigil and quotes gone, escapes read as bytes.

    Bytes that are no UTF-8 stay visible as escapes, so that the result is always valid text.
    """
    body = lexeme.lstrip("%@$")
    if not body.startswith('"'):
        return body
    raw = body[1:-1].encode("utf-8", "surrogateescape")
    return _ESCAPE.sub(_escaped_byte, raw).decode("utf-8", "backslashreplace")


def _escaped_byte(found: re.Match[bytes]) -> bytes:
    digits = found[1]
    return b"\\" if digits == b"\\" else bytes([int(digits, 16)])


def anonymous_names(function: Function) -> dict[str, str]:
    """Map every local of a function, as a lexeme, to its anonymous name."""
    names = {block.label: f"l{index}" for index, block in enumerate(function.blocks)}
    values = [*function.parameters, *function.definitions()]
    names.update((value, f"v{index}") for index, value in enumerate(values))
    return names


def names_of_locals(instruction: Instruction, function: str, names: dict[str, str]) -> list[str]:
    """Return the anonymous names of an instruction's locals, in order.

    A block address may name a block of another function: such a block is called ``elsewhere``.

    Args:
        instruction: the instruction.
        function: name of the function it is in, as a lexeme.
        names: the function's locals with their anonymous names.

    Raises:
        KeyError: a local is never defined.
    """
    foreign = [hole for hole, owner in instruction.form.block_addresses if owner != function]
    if foreign:
        return [
            _ELSEWHERE if hole in foreign else names[local]
            for hole, local in enumerate(instruction.locals)
        ]
    return [names[local] for local in instruction.locals]
