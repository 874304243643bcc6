"""Finds the source text and the doc comment of a function, with tree-sitter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_TEMPLATE_ARGUMENTS = re.compile(r"(?<!operator)<[^<>]*>|\s+")
_FUNCTIONS = """
(function_definition declarator: (_) @declarator) @function
(comment) @comment
"""
_SCOPES = """
(namespace_definition name: (_) @scope)
(class_specifier name: (_) @scope body: (_))
(struct_specifier name: (_) @scope body: (_))
(union_specifier name: (_) @scope body: (_))
(template_declaration [(function_definition) (template_declaration)] @inner) @template
"""


@dataclass(frozen=True)
class FunctionSource:
    """One function definition as written.

    Attributes:
        name: with its scopes, `ns::Class::method`.
        text: the definition, without its doc comment.
        doc: the comment block directly above it, or None.
        parameters: how many it has; None where that is open (`...`, defaults play no part).
        start: offset of the definition.
    """

    name: str
    text: str
    doc: str | None
    parameters: int | None = None
    start: int = 0


def function_sources(
    code: bytes, language: str, *, written: bytes | None = None
) -> list[FunctionSource]:
    """All function definitions in `code`, in the order they are written.

    Args:
        code: what to parse.
        language: `c` or `c++`.
        written: where their text and comments are taken from: as long as `code`, which may have
            spaces where this has what a parser does not understand.
    """
    written = code if written is None else written
    matches = list(_matches(code, language))
    comments = [node for found in matches for node in found.get("comment", [])]
    ends = {
        node.end_point[0]: (node.start_point[0], _text(node, written))
        for node in comments
        if _stands_alone(node, code)
    }
    scopes = [node for found in matches for node in found.get("scope", [])]
    wholes = {
        _place(found["inner"][0]): found["template"][0] for found in matches if "inner" in found
    }
    definitions = [found for found in matches if "function" in found]
    ordered = sorted(definitions, key=lambda found: found["function"][0].start_byte)
    around = _scopes_of([found["function"][0] for found in ordered], scopes, written)
    return [
        _source(found["function"][0], found["declarator"][0], names, wholes, ends, written)
        for found, names in zip(ordered, around, strict=True)
        if _declarator(found["declarator"][0]) is not None
    ]


def _source(
    node: Any,
    declarator: Any,
    scopes: list[str],
    wholes: dict[Any, Any],
    ends: dict[int, tuple[int, str]],
    written: bytes,
) -> FunctionSource:
    function = _declarator(declarator)
    name = _text(function.child_by_field_name("declarator"), written)
    # A template's definition begins at `template`.
    while (whole := wholes.get(_place(node))) is not None:
        node = whole
    return FunctionSource(
        _TEMPLATE_ARGUMENTS.sub("", "::".join([*scopes, name])),
        _text(node, written),
        _doc(node.start_point[0], ends),
        _parameters(function.child_by_field_name("parameters"), written),
        node.start_byte,
    )


def _matches(code: bytes, language: str) -> Iterator[dict[str, list[Any]]]:
    from tree_sitter import QueryCursor

    parser, query = _grammar(language)
    root = parser.parse(code).root_node
    yield from (found for _, found in QueryCursor(query).matches(root))


@lru_cache
def _grammar(language: str) -> tuple[Any, Any]:
    import tree_sitter
    import tree_sitter_c
    import tree_sitter_cpp

    grammar = tree_sitter_c if language == "c" else tree_sitter_cpp
    compiled = tree_sitter.Language(grammar.language())
    query = _FUNCTIONS if language == "c" else _FUNCTIONS + _SCOPES
    return tree_sitter.Parser(compiled), tree_sitter.Query(compiled, query)


def _declarator(node: Any) -> Any:
    """The function's own declarator inside pointers, references and parentheses, or None."""
    while node is not None and node.type != "function_declarator":
        inner = node.child_by_field_name("declarator")
        node = inner or next(iter(node.named_children), None)
    return node and node.child_by_field_name("declarator") and node


def _scopes_of(functions: list[Any], scopes: list[Any], written: bytes) -> Iterator[list[str]]:
    """For each function, in order of place, the names of what it stands in, outermost first."""
    waiting = sorted(scopes, key=lambda name: name.parent.start_byte, reverse=True)
    inside: list[Any] = []
    for function in functions:
        while waiting and waiting[-1].parent.start_byte <= function.start_byte:
            inside.append(waiting.pop())
        inside = [name for name in inside if name.parent.end_byte >= function.end_byte]
        yield [_text(name, written) for name in inside]


def _parameters(nodes: Any, written: bytes) -> int | None:
    if nodes is None or any(child.type == "..." for child in nodes.children):
        return None
    found = [child for child in nodes.named_children if child.type != "comment"]
    if any("variadic" in child.type for child in found):
        return None
    return 0 if [_text(child, written) for child in found] == ["void"] else len(found)


def _place(node: Any) -> tuple[int, int]:
    return node.start_byte, node.end_byte


def _stands_alone(comment: Any, code: bytes) -> bool:
    """Whether nothing but space is before the comment on its line."""
    start = code.rfind(b"\n", 0, comment.start_byte) + 1
    return not code[start : comment.start_byte].strip()


def _doc(first_row: int, ends: dict[int, tuple[int, str]]) -> str | None:
    """The comments that end on the row above, and on the row above those, and so on."""
    block: list[str] = []
    row = first_row - 1
    while row in ends:
        first, text = ends[row]
        block.append(text)
        row = first - 1
    return "\n".join(reversed(block)) or None


def _text(node: Any, written: bytes) -> str:
    return written[node.start_byte : node.end_byte].decode("utf-8", "replace")
