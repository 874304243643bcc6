"""Takes apart the text of instructions, just far enough to put calls of the runtime around them.

This is deliberately not the reader of ``static_analysis``: the analysis under test rests on that
one, and a fault in it must not hide itself.
"""

import re

_PIECE = re.compile(r'"[^"]*"|[(\[{<]|[)\]}>]|,|[^"()\[\]{}<>,]+')
_WORD = re.compile(r'%"[^"]*"|[%\w.$-]+(?: addrspace\(\d+\))?')
_LAST_NAME = re.compile(r' ([%@](?:"[^"]*"|[-\w$.]+))$')
_CALLEE = re.compile(r'(?<= )([%@](?:"[^"]*"|[-\w$.]+))\(')
_CONSTANT = re.compile(r"\b(?:getelementptr|inttoptr|addrspacecast|bitcast)\b")
_OPEN, _CLOSE = "([{<", ")]}>"


def split(text: str) -> list[str]:
    """Split at the commas outside brackets and quotes; pieces are stripped."""
    pieces, depth = [""], 0
    for piece in _PIECE.findall(text):
        if piece == "," and depth == 0:
            pieces.append("")
            continue
        depth += (piece in _OPEN) - (piece in _CLOSE)
        pieces[-1] += piece
    return [piece.strip() for piece in pieces]


def closing(text: str, opening: int) -> int:
    """Return where the bracket that opens at ``opening`` closes."""
    depth, at = 0, opening
    for piece in _PIECE.findall(text[opening:]):
        depth += (piece in _OPEN) - (piece in _CLOSE)
        at += len(piece)
        if depth == 0:
            return at - 1
    raise ValueError(f"a bracket is never closed in {text}")


def type_in_front(text: str) -> str:
    """Return the type that a text begins with."""
    if text[0] in "[{<":
        return text[: closing(text, 0) + 1]
    found = _WORD.match(text)
    if found is None:
        raise ValueError(f"no type in front of {text}")
    return found[0]


def pointer(operand: str) -> str | None:
    """Return the value of a pointer operand (``ptr noundef %x`` → ``%x``), None if it is null."""
    if not operand.startswith("ptr"):
        return None
    if operand.endswith(")"):
        found = _CONSTANT.search(operand)
        return operand[found.start() :] if found else None
    found = _LAST_NAME.search(operand)
    return found[1] if found else None


def store_size(type_: str) -> str:
    """Return the number of bytes that a load or store of a type accesses, as an i64 constant.

    LLVM works out the size of aggregates and pointers. Scalars and vectors of them access as
    many bytes as their bits need, which can be fewer than they occupy (LangRef, ``store``).
    """
    bits = _bits(type_)
    if bits:
        return str((bits + 7) // 8)
    return f"ptrtoint (ptr getelementptr ({type_}, ptr null, i32 1) to i64)"


def _bits(type_: str) -> int:
    """Return the bits of a scalar or a vector of scalars, 0 where LLVM has to say."""
    vector = re.fullmatch(r"<(\d+) x (.+)>", type_)
    if vector:
        return int(vector[1]) * _bits(vector[2])
    integer = re.fullmatch(r"i(\d+)", type_)
    return int(integer[1]) if integer else 80 if type_ == "x86_fp80" else 0


def callee_and_arguments(text: str) -> tuple[str, list[str]] | None:
    """Return whom a call calls and with what, or None if it is no plain symbol or local."""
    found = _CALLEE.search(text)
    if found is None or re.search(r"\basm\b", text[: found.start()]):
        return None
    arguments = text[found.end() : closing(text, found.end() - 1)]
    return found[1], [argument for argument in split(arguments) if argument]
