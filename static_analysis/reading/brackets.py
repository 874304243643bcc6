"""Brackets among lexemes: where they close and open, and the commas outside them."""

from collections.abc import Sequence

from static_analysis.reading.keywords import CLOSE, OPEN


def closing(lexemes: Sequence[str], at: int) -> int:
    """Return where the bracket that opens at ``at`` closes (the end, if it never does)."""
    depth = 0
    for end in range(at, len(lexemes)):
        depth += (lexemes[end] in OPEN) - (lexemes[end] in CLOSE)
        if depth == 0:
            return end
    return len(lexemes) - 1


def opening(lexemes: Sequence[str], at: int) -> int:
    """Return where the bracket that closes at ``at`` opens (the start, if it never does)."""
    depth = 0
    for start in range(at, -1, -1):
        depth += (lexemes[start] in CLOSE) - (lexemes[start] in OPEN)
        if depth == 0:
            return start
    return 0


def split(lexemes: list[str]) -> list[list[str]]:
    """Split at the commas outside brackets; nothing gives no parts."""
    parts: list[list[str]] = [[]]
    depth = 0
    for lexeme in lexemes:
        depth += (lexeme in OPEN) - (lexeme in CLOSE)
        if lexeme == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(lexeme)
    return parts if lexemes else []
