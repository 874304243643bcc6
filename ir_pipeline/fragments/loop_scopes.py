"""Gives the variables of `for` loops the scopes that the compilers of the 1990s gave them."""

from __future__ import annotations

import re
from typing import Any

from ir_pipeline.fragments.changes import WORD, Changes
from ir_pipeline.fragments.diagnostics import Diagnostic

_REDEFINED = re.compile(r"redefinition of '(\w+)'")


def keep_after_loop(step: Changes, name: str, error: Diagnostic) -> bool:
    """Declares a loop's variable in its function, as compilers did that let it outlive the loop."""
    place = step.offset(error.line, error.column)
    body = next((b for b in step.found.bodies if b.start_byte <= place < b.end_byte), None)
    if body is None:
        return False
    loops = [
        loop
        for loop in step.found.loops
        if body.start_byte < loop.start_byte < place and _declares(loop, name)
    ]
    if not loops:
        return False
    type_node = loops[-1].child_by_field_name("type")
    names = [_declared_name(node) for node in loops[-1].children_by_field_name("declarator")]
    declaration = type_node.text + b" " + b", ".join(names) + b"; "
    start = body.start_byte + 1
    step.edit(type_node.start_byte, type_node.end_byte, b"", "loop variable used after its loop")
    return step.edit(start, start, declaration, "loop variable used after its loop")


def shadow_in_loop(step: Changes, error: Diagnostic) -> bool:
    """Gives a loop's body a block of its own, where it declares the loop's variable again."""
    match = _REDEFINED.fullmatch(error.message)
    place = step.offset(error.line, error.column)
    if match is None:
        return False
    for loop in reversed(step.found.loops):
        body = loop.parent.child_by_field_name("body")
        if body.start_byte < place < body.end_byte and _declares(loop, match[1]):
            step.edit(body.start_byte, body.start_byte, b"{", "loop variable declared again")
            return step.edit(body.end_byte, body.end_byte, b"}", "loop variable declared again")
    return False


def _declares(declaration: Any, name: str) -> bool:
    names = [_declared_name(n) for n in declaration.children_by_field_name("declarator")]
    return name.encode() in names and all(WORD.fullmatch(found) for found in names)


def _declared_name(declarator: Any) -> bytes:
    inner = declarator.child_by_field_name("declarator")
    return (inner or declarator).text  # type: ignore[no-any-return]
