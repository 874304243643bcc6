"""Finds operands among the lexemes of an instruction: types, values, callees, arguments."""

from collections.abc import Sequence
from dataclasses import dataclass

from static_analysis.keywords import CLOSE, EXPRESSIONS, OPEN, ORDERINGS

_NOT_CALLEES = frozenset({"addrspace", "memory"})


@dataclass(slots=True)
class Call:
    """Callee and arguments of a call, as lexemes; each argument with its type."""

    callee: list[str]
    arguments: list[list[str]]


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


def skip_type(lexemes: Sequence[str], at: int) -> int:
    """Return where the type that starts at ``at`` has ended."""
    if lexemes[at] in OPEN:
        end = closing(lexemes, at) + 1
    elif lexemes[at] == "target":
        end = closing(lexemes, at + 1) + 1
    else:
        end = at + 1
    while end < len(lexemes) and lexemes[end] in ("*", "addrspace"):
        end = end + 1 if lexemes[end] == "*" else closing(lexemes, end + 1) + 1
    return end


def skip_words(lexemes: list[str], at: int, words: frozenset[str]) -> int:
    """Return the first place from ``at`` on that holds none of ``words``."""
    while at < len(lexemes) and lexemes[at] in words:
        at += 1
    return at


def value_of(part: list[str]) -> list[str]:
    """Return the value that ends a part: one lexeme, an aggregate or a constant expression."""
    last = len(part) - 1
    if part[last] not in CLOSE:
        return part[last:]
    start = opening(part, last)
    while start > 0:
        before = opening(part, start - 1) if part[start - 1] == ")" else start
        if part[start - 1] in EXPRESSIONS:
            start -= 1
        elif before < start and part[before - 1] == "inrange":
            start = before - 1
        else:
            break
    return part[start:]


def without_ordering(part: list[str]) -> tuple[list[str], list[str]]:
    """Cut what an atomic access says about its ordering off a part; return both pieces."""
    end = len(part)
    while end > 0 and part[end - 1] in ORDERINGS:
        end -= 1
    if end == len(part):
        return part, []
    if part[end - 1] == ")" and part[opening(part, end - 1) - 1] == "syncscope":
        end = opening(part, end - 1) - 1
    return part[:end], part[end:]


def parse_call(lexemes: list[str]) -> Call:
    """Find callee and arguments of ``call``, ``invoke`` or ``callbr``.

    The arguments are the last round bracket outside all others; the callee stands before it.
    """
    start, at = 0, 1
    while at < len(lexemes):
        if lexemes[at] == "(" and lexemes[at - 1] not in _NOT_CALLEES:
            start = at
        at = closing(lexemes, at) + 1 if lexemes[at] in OPEN else at + 1
    before = lexemes[:start]
    if not before:
        return Call([], [])
    if "asm" in before:
        callee = [lexeme for lexeme in before[before.index("asm") :] if lexeme != ","]
    else:
        callee = value_of(before)
    return Call(callee, split(lexemes[start + 1 : closing(lexemes, start)]))
