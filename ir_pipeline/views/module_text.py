"""Takes printed IR apart into function definitions, without LLVM and without reading bodies."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from static_analysis.words.names import unescape

_DEFINE = re.compile(
    r"^define (?:(?P<linkage>private|internal|available_externally|linkonce|linkonce_odr|weak"
    r"|weak_odr|common|appending|extern_weak|external) )?"
    r'[^\n]*?@(?P<name>"[^"\n]*"|[-\w$.]+)\(',
    re.MULTILINE,
)


@dataclass(frozen=True)
class Definition:
    """Where one function definition stands in a module's text.

    Attributes:
        name: the symbol, unescaped.
        linkage: `external` where none is printed.
        start: offset of `define`.
        stop: offset behind the closing brace and its line end.
    """

    name: str
    linkage: str
    start: int
    stop: int


def definitions(text: str) -> Iterator[Definition]:
    """The function definitions of a module in LLVM's printed form, in order."""
    for found in _DEFINE.finditer(text):
        # Only the brace that ends a definition stands at the beginning of a line.
        end = text.find("\n}\n", found.end())
        stop = len(text) if end < 0 else end + 3
        linkage = found["linkage"] or "external"
        yield Definition(unescape(found["name"]), linkage, found.start(), stop)


def defined_names(text: str) -> set[str]:
    """The functions that a module defines."""
    return {definition.name for definition in definitions(text)}


def keep_definitions(text: str, names: Collection[str]) -> str:
    """`text` with only the definitions that `names` holds; each other one becomes a declaration.

    A declaration keeps name and attributes, so that calls read the same with and without it. It
    also keeps its linkage and parameter names: for `analyse`, not for LLVM, which wants neither.
    """
    kept: list[str] = []
    position = 0
    for definition in definitions(text):
        if definition.name not in names:
            header = text[definition.start : text.index("\n", definition.start)]
            declaration = header.removeprefix("define").removesuffix("{").rstrip()
            kept += (text[position : definition.start], f"declare{declaration}\n")
            position = definition.stop
    return "".join([*kept, text[position:]])
