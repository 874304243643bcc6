"""Pieces of environment entries: tokens, and holes for the names of locals."""

from collections.abc import Iterable, Sequence

from static_analysis.reading.form import Operand
from static_analysis.words.tokens import Dictionary

Piece = str | int  # a token, or which local of the instruction stands here
MAX_OPERAND = 12
MAX_LISTED = 8


def operand_pieces(operand: Operand, dictionary: Dictionary) -> list[Piece]:
    """Return an operand without its type, ``more`` standing for what is beyond a limit."""
    return shortened(dictionary.spell(operand.lexemes, operand.holes), MAX_OPERAND)


def type_pieces(lexemes: Iterable[str], dictionary: Dictionary) -> list[Piece]:
    """Return a type given by its lexemes, ``more`` standing for what is beyond a limit."""
    return shortened(dictionary.spell(lexemes, ()), MAX_OPERAND)


def listed(operands: Sequence[Operand], dictionary: Dictionary) -> list[Piece]:
    """Return operands one after another, ``more`` standing for those beyond a limit."""
    pieces: list[Piece] = []
    for operand in operands[:MAX_LISTED]:
        pieces += operand_pieces(operand, dictionary)
    return pieces + ["more"] * (len(operands) > MAX_LISTED)


def shortened(pieces: list[Piece], limit: int) -> list[Piece]:
    """Return the first ``limit`` pieces, with ``more`` after them if there are others."""
    return pieces if len(pieces) <= limit else [*pieces[:limit], "more"]
