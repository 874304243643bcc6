"""Counts the parameters that a mangled C++ name encodes, which tells most overloads apart.

Grammar: Itanium C++ ABI, section 5.1. What is rare (lambdas, local names, expressions) is not read.
"""

from __future__ import annotations

import re

_PREFIXES = "PROKVr"
_NUMBER = re.compile(r"\d+")
_BUILTIN = re.compile(r"[a-eg-hijlmnostv-z]|f|D[a-z]")
_SUBSTITUTION = re.compile(r"S[absiod]|S[0-9A-Z]*_|T[0-9]*_")
_ARRAY = re.compile(r"A(?:\d*|T\d*_)_")
_SPECIAL = re.compile(r"[CD][0-9]")
_OPERATOR = re.compile(r"[a-z][a-zA-Z]")


class _UnreadError(Exception):
    """The name has a part that is not read here."""


def parameter_count(symbol: str) -> int | None:
    """How many parameters the function of a mangled name has, `this` not among them.

    None for a name that is not mangled, or has rare parts.
    """
    if not symbol.startswith("_Z"):
        return None
    try:
        at, templated = _name(symbol, 2)
        count = 0
        while at < len(symbol) and symbol[at] != ".":
            at, count = _type(symbol, at), count + 1
    except (_UnreadError, IndexError):
        return None
    # The types of a template's instance begin with what it returns.
    none = symbol.split(".")[0].endswith("v") and count == 1 + templated
    return 0 if none else count - templated


def _name(text: str, at: int) -> tuple[int, bool]:
    """The place after a function's name, and whether the name ends with template arguments."""
    if text[at] != "N":
        return _part(text, at + (text[at] == "L"))
    at += 1
    while text[at] in "rVKRO":
        at += 1
    templated = False
    while text[at] != "E":
        at, templated = _part(text, at)
    return at + 1, templated


def _part(text: str, at: int) -> tuple[int, bool]:
    """The place after one component of a name, and whether that has template arguments."""
    if text.startswith("St", at):
        at += 2
    number = _NUMBER.match(text, at)
    other = _SUBSTITUTION.match(text, at) or _SPECIAL.match(text, at) or _OPERATOR.match(text, at)
    if number is not None:
        at = number.end() + int(number[0])
        if at > len(text):
            raise _UnreadError
    elif other is not None and other[0] != "cv":
        at = other.end()
    elif text[at] != "I":
        raise _UnreadError
    if at < len(text) and text[at] == "I":
        return _arguments(text, at), True
    return at, False


def _arguments(text: str, at: int) -> int:
    at += 1
    while text[at] != "E":
        at = _literal(text, at) if text[at] == "L" else _type(text, at)
    return at + 1


def _literal(text: str, at: int) -> int:
    return text.index("E", _type(text, at + 1)) + 1


def _type(text: str, at: int) -> int:
    """The place after one type."""
    while text[at] in _PREFIXES:
        at += 1
    array = _ARRAY.match(text, at)
    if array is not None:
        return _type(text, array.end())
    if text[at] == "F":
        at += 1
        while text[at] != "E":
            at = _type(text, at)
        return at + 1
    if text[at] == "J":
        return _arguments(text, at)
    if text[at] == "M":
        return _type(text, _type(text, at + 1))
    if text[at] == "N":
        return _name(text, at)[0]
    builtin = _BUILTIN.match(text, at)
    if builtin is not None:
        return builtin.end()
    if text[at].isdigit() or text[at] in "ST":
        return _part(text, at)[0]
    raise _UnreadError
