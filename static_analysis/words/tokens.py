"""Model tokens: lexemes of IR spelt in the alphabet both streams share.

The first character tells the class of a token: ``@`` word of a symbol, ``%`` word of a named
type (each name ended by ``</func>``, ``</const>`` or ``</type>``, the words of a string by
``</text>``), ``#`` number, ``v0`` value, ``l0`` block; all else is structure.
"""

import re
from collections.abc import Iterable, Sequence

from static_analysis.reading.brackets import closing
from static_analysis.reading.form import HOLE, Form
from static_analysis.reading.ir import Module
from static_analysis.reading.keywords import CLOSE, OPEN, SILENT, SILENT_WITH_NUMBER
from static_analysis.words.constants import number_token
from static_analysis.words.names import unescape
from static_analysis.words.symbols import symbol_words, type_words, words
from static_analysis.words.template import Template

_NOT_PRINTABLE = re.compile(r"[^!-~]")
_STRING_STARTS = ('"', 'c"', '!"')


class Dictionary(dict[str, tuple[str, ...]]):
    """Tokens of each lexeme that means the same all over a module, worked out when asked for."""

    def __init__(self, module: Module) -> None:
        super().__init__()
        self._module = module

    def __missing__(self, lexeme: str) -> tuple[str, ...]:
        tokens = self[lexeme] = tuple(self._spelling(lexeme))
        return tokens

    def _spelling(self, lexeme: str) -> list[str]:
        first = lexeme[0]
        if first == "@":
            text = self._module.text(lexeme)
            if text is not None:
                return self._spelling(text)
            closer = "</func>" if self._module.is_callable(lexeme) else "</const>"
            return [f"@{word}" for word in symbol_words(lexeme)] + [closer]
        if first == "%":
            return [f"%{word}" for word in type_words(lexeme)] + ["</type>"]
        if lexeme.startswith(_STRING_STARTS):
            return [f"@{word}" for word in words(unescape(lexeme.lstrip("c!")))] + ["</text>"]
        if first == "!":
            return ["!"]  # the number of a metadata node means nothing
        if first.isdigit() or (first in "+-" and len(lexeme) > 1):
            return [number_token(lexeme)]
        return [_NOT_PRINTABLE.sub("?", lexeme)]

    def spell(self, lexemes: Iterable[str], holes: Sequence[int]) -> list[str | int]:
        """Return the tokens of lexemes, each local among them as the number of its hole."""
        pieces: list[str | int] = []
        numbers = iter(holes)
        for lexeme in lexemes:
            if lexeme == HOLE:
                pieces.append(next(numbers))
            else:
                pieces += self[lexeme]
        return pieces


class TokenTemplates(dict[Form, Template]):
    """The model tokens of each form of a module, spelt when first asked for."""

    def __init__(self, dictionary: Dictionary) -> None:
        super().__init__()
        self._dictionary = dictionary

    def __missing__(self, form: Form) -> Template:
        count = form.lexemes.count(HOLE)
        pieces = self._dictionary.spell(_audible(form.lexemes), range(count))
        template = self[form] = Template.of(pieces)
        return template


def _audible(lexemes: Sequence[str]) -> list[str]:
    """Leave out what says nothing about meaning: silent words, attribute groups, their commas."""
    kept: list[str] = []
    depth, at, after_comma = 0, 0, False
    while at < len(lexemes):
        lexeme = lexemes[at]
        at += 1
        if lexeme in SILENT:
            at = _after_silent(lexemes, at)
        elif depth == 0 and lexeme == ",":
            after_comma = True
        elif depth or lexeme[0] != "#":
            depth += (lexeme in OPEN) - (lexeme in CLOSE)
            kept += [",", lexeme] if after_comma else [lexeme]
            after_comma = False
    return kept


def _after_silent(lexemes: Sequence[str], at: int) -> int:
    """Return where to go on after a silent word: past its number or its bracket."""
    if at < len(lexemes) and lexemes[at] == "(":
        return closing(lexemes, at) + 1
    return at + 1 if lexemes[at - 1] in SILENT_WITH_NUMBER else at


def opcode(tokens: Sequence[str]) -> str:
    """Return the opcode of one instruction, given its tokens.

    Raises:
        ValueError: there are no tokens.
    """
    if not tokens:
        raise ValueError("an instruction has at least one token")
    return tokens[2] if len(tokens) > 2 and tokens[1] == "=" else tokens[0]
