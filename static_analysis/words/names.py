"""Names: from IR's escaped spelling to text, and from locals to names that mean nothing.

The anonymous names are shared by both streams: ``v0, v1, …`` for values (arguments first, then
results in order of definition), ``l0, l1, …`` for blocks, so that a model cannot tell programs
apart by how a compiler numbered or a programmer named things.
"""

import re

from static_analysis.reading.form import HOLE
from static_analysis.reading.ir import Function

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


class AnonymousNames:
    """Names the locals of functions; each name is made once and shared by all functions."""

    def __init__(self) -> None:
        self._values = _Numbered("v")
        self._blocks = _Numbered("l")

    def of(self, function: Function) -> dict[str, str]:
        """Map every local of a function, as a lexeme, to its anonymous name.

        What block addresses name in other functions (a bare ``%``) is called ``elsewhere``.
        """
        labels = [block.label for block in function.blocks]
        values = [*function.parameters, *function.definitions()]
        names = dict(zip(labels, self._blocks.first(len(labels)), strict=True))
        names.update(zip(values, self._values.first(len(values)), strict=True))
        names[HOLE] = "elsewhere"
        return names


class _Numbered:
    """The names ``v0, v1, …`` of one kind."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._names: list[str] = []

    def first(self, count: int) -> list[str]:
        """Return the first names."""
        self._names += [f"{self._kind}{number}" for number in range(len(self._names), count)]
        return self._names[:count]
