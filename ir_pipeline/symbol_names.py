"""From a symbol of the IR to the name its function has in C++ source."""

from __future__ import annotations

from typing import Any

import itanium_demangler

_LONGEST = 1000


def source_name(symbol: str) -> tuple[str, int | None]:
    """Qualified name without template arguments, and the number of parameters.

    Never builds the whole demangled text, which can be exponentially long. A symbol that is not
    mangled, or too hard to read, is returned as it is with None.
    """
    if not symbol.startswith("_Z") or len(symbol) > _LONGEST:
        return symbol, None
    try:
        tree = itanium_demangler.parse(symbol)
    except (NotImplementedError, RecursionError):
        return symbol, None
    if tree is None or tree.kind != "func":
        return symbol, None
    types = [argument for argument in tree.arg_tys or () if _type_word(argument) != "void"]
    return "::".join(_parts(tree.name)), len(types)


def _type_word(node: Any) -> str:
    """The word for a builtin type, or the kind of any other type."""
    return str(node.value) if node.kind == "builtin" else str(node.kind)


def _parts(node: Any) -> list[str]:
    """Components of a name as written in source: `["A", "operator<"]`, `["A", "~A"]`."""
    if node.kind in ("cv_qual", "abi"):
        return _parts(node.value)
    if node.kind == "qual_name":
        parts: list[str] = []
        for part in node.value:
            parts += _special(part, parts[-1] if parts else "") or _parts(part)
        return parts
    if node.kind == "name":
        return [] if node.value.startswith("_GLOBAL__N_") else [str(node.value)]
    return _special(node, "")


def _special(node: Any, scope: str) -> list[str]:
    if node.kind == "ctor":
        return [scope]
    if node.kind == "dtor":
        return [f"~{scope}"]
    return [f"operator{node.value}"] if node.kind == "oper" else []
