"""Finds the form of an instruction's text, seldom by parsing it.

A text is cut at its percent names. What is left between them is the key under which the form
is remembered: which of the names are types rather than locals follows from the places where they
stand, so only a key never seen before is parsed. Names of types belong to the form, names of
locals to the instruction.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import compress

from static_analysis.reading.form import Form
from static_analysis.reading.grammar import parse_form
from static_analysis.reading.ir import Instruction
from static_analysis.reading.lexer import lexemes
from static_analysis.reading.type_table import TypeTable

_NAME = re.compile(r"(%[-a-zA-Z0-9$._]+)")
_NAME_OR_STRING = re.compile(r'(%[-a-zA-Z0-9$._]+|%?"[^"]*")')
_WITHOUT_METADATA = re.compile(r'[^",]*(?:(?:"[^"]*"|,(?! !))[^",]*)*')


@dataclass(frozen=True, slots=True)
class _Family:
    """Texts that differ only in percent names, some of which are types.

    Attributes:
        is_type: for each name, whether it is a type.
        is_local: the opposite.
        forms: the form for each choice of type names.
    """

    is_type: tuple[bool, ...]
    is_local: tuple[bool, ...]
    forms: dict[tuple[str, ...], Form] = field(default_factory=dict)


class FormTable:
    """The forms of one module.

    Attributes:
        has_block_addresses: whether one of them takes the address of a block.
    """

    def __init__(self, types: TypeTable) -> None:
        self.has_block_addresses = False
        self._types = types
        self._forms: dict[str, Form] = {}
        self._families: dict[str, _Family] = {}

    def read(self, text: str) -> Instruction:
        """Return the instruction a text is, the text being on one line without outer space.

        Raises:
            UnknownOpcodeError: the opcode is none of LLVM 22.
            ValueError, IndexError: the text is no instruction in the form LLVM prints.
        """
        if '"' in text:
            pieces = _pieces_around_strings(text)
        else:
            end = text.find(", !")
            pieces = _NAME.split(text if end < 0 else text[:end])
        key = "%".join(pieces[::2])
        form = self._forms.get(key)
        if form is not None:
            return Instruction(text, form, tuple(pieces[1::2]))
        return self._read_with_types(text, key, pieces)

    def _read_with_types(self, text: str, key: str, pieces: Sequence[str]) -> Instruction:
        names = pieces[1::2]
        family = self._families.get(key)
        if family is None:
            form, family = self._parse("".join(pieces))
            if not any(family.is_type):
                self._forms[key] = form
                return Instruction(text, form, tuple(names))
            self._families[key] = family
            family.forms[tuple(compress(names, family.is_type))] = form
        types = tuple(compress(names, family.is_type))
        found = family.forms.get(types)
        if found is None:
            found = family.forms[types] = self._parse("".join(pieces))[0]
        return Instruction(text, found, tuple(compress(names, family.is_local)))

    def _parse(self, text: str) -> tuple[Form, _Family]:
        found = lexemes(text)
        form, places = parse_form(found, self._types)
        self.has_block_addresses |= bool(form.block_addresses)
        of_locals = frozenset(places)
        is_local = [at in of_locals for at, lexeme in enumerate(found) if lexeme[0] == "%"]
        return form, _Family(tuple([not local for local in is_local]), tuple(is_local))


def _pieces_around_strings(text: str) -> list[str]:
    """Cut a text that has strings at its percent names, also leaving its metadata."""
    found = _WITHOUT_METADATA.match(text)
    pieces = [""]
    for at, piece in enumerate(_NAME_OR_STRING.split(found[0] if found else text)):
        if at % 2 and piece[0] == "%":
            pieces += (piece, "")
        else:
            pieces[-1] += piece
    return pieces
