"""Attributes of functions, parameters and calls.

An attribute is a word with a value: empty for a bare word (``nonnull``), a ``Type`` where it
names one (``byval(%struct.S)``), else the text of its number or bracket with single spaces
between lexemes (``align`` → ``8``, ``memory`` → ``argmem : read``). Attributes that are strings
(``"frame-pointer"="all"``) keep their quotes. Unknown words are attributes like any other.
"""

from collections.abc import Sequence
from functools import lru_cache

from static_analysis.reading.brackets import closing
from static_analysis.reading.keywords import CONSTANT_WORDS, EXPRESSIONS, SILENT_WITH_NUMBER
from static_analysis.reading.type_table import TypeTable, starts_type
from static_analysis.reading.types import Type

Attributes = dict[str, str | Type]
_WITH_TYPE = frozenset({"byval", "byref", "sret", "preallocated", "inalloca", "elementtype"})
_NOT_ATTRIBUTES = CONSTANT_WORDS | EXPRESSIONS


def parse_attributes(lexemes: Sequence[str], at: int, types: TypeTable) -> tuple[Attributes, int]:
    """Return the attributes that start at ``at`` and the place after them."""
    found: Attributes = {}
    while at < len(lexemes) and _is_attribute(lexemes[at]):
        word = lexemes[at]
        at += 1
        found[word] = ""
        after = lexemes[at] if at < len(lexemes) else ""
        if after == "(":
            end = closing(lexemes, at)
            inside = lexemes[at + 1 : end]
            typed = word in _WITH_TYPE and inside
            found[word] = types.parse(inside)[0] if typed else " ".join(inside)
            at = end + 1
        elif after == "=":
            found[word] = lexemes[at + 1]
            at += 2
        elif word in SILENT_WITH_NUMBER:
            found[word] = after
            at += 1
    return found, at


@lru_cache(maxsize=4096)
def _is_attribute(lexeme: str) -> bool:
    first = lexeme[0]
    return (first.isalpha() or first == '"') and not (
        lexeme in _NOT_ATTRIBUTES or lexeme.startswith('c"') or starts_type(lexeme)
    )
