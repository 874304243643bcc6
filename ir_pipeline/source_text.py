"""Finds the source text and the doc comment of a function, with tree-sitter."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_SPDX = re.compile(rb"SPDX-License-Identifier:\s*([A-Za-z0-9.+()\- ]+?)\s*(?:\*/|-->|\r|\n|$)")
_TEMPLATE_ARGUMENTS = re.compile(r"(?<!operator)<[^<>]*>|\s+")
_SCOPES = ("namespace_definition", "class_specifier", "struct_specifier", "union_specifier")
_QUERY = "(function_definition declarator: (_) @declarator) @function (comment) @comment"


@dataclass(frozen=True)
class FunctionSource:
    """One function definition as written.

    Attributes:
        name: with its scopes, `ns::Class::method`.
        text: the definition, without its doc comment.
        doc: the comment block directly above it, or None.
    """

    name: str
    text: str
    doc: str | None


class SourceIndex:
    """The function definitions of one file, by name."""

    def __init__(self, code: bytes, language: str):
        """Parses `code` (`c` or `c++`)."""
        self._functions: dict[str, list[FunctionSource]] = defaultdict(list)
        for function in function_sources(code, language):
            self._functions[function.name].append(function)

    def __contains__(self, name: str) -> bool:
        return name in self._functions

    def find(self, name: str) -> FunctionSource | None:
        """The definition of `name`; None when there is none, or overloads leave it open."""
        found = self._functions.get(name, [])
        return found[0] if len(found) == 1 else None


def function_sources(code: bytes, language: str) -> list[FunctionSource]:
    """All function definitions in `code`, in the order they are written."""
    parser, query = _grammar(language)
    tree = parser.parse(code)
    from tree_sitter import QueryCursor

    matches = QueryCursor(query).matches(tree.root_node)
    comments = [node for _, found in matches for node in found.get("comment", [])]
    ends = {node.end_point[0]: node for node in comments if _stands_alone(node, code)}
    definitions = [
        (found["function"][0], found["declarator"][0])
        for _, found in matches
        if "function" in found
    ]
    named = ((node, _name(declarator)) for node, declarator in definitions)
    return [
        FunctionSource(
            _TEMPLATE_ARGUMENTS.sub("", "::".join([*_scopes(node), _text(name)])),
            _text(_whole(node)),
            _doc(_whole(node).start_point[0], ends),
        )
        for node, name in named
        if name is not None
    ]


def spdx_license(code: bytes) -> str | None:
    """The licence that an SPDX line near the top of a file names, or None."""
    match = _SPDX.search(code[: 64 * 1024])
    return match[1].decode() if match else None


@lru_cache
def _grammar(language: str) -> tuple[Any, Any]:
    import tree_sitter
    import tree_sitter_c
    import tree_sitter_cpp

    grammar = tree_sitter_c if language == "c" else tree_sitter_cpp
    compiled = tree_sitter.Language(grammar.language())
    return tree_sitter.Parser(compiled), tree_sitter.Query(compiled, _QUERY)


def _name(declarator: Any) -> Any:
    """The name's node inside pointers, references, parentheses and parameters."""
    while declarator is not None and declarator.type != "function_declarator":
        inner = declarator.child_by_field_name("declarator")
        declarator = inner or next(iter(declarator.named_children), None)
    return declarator and declarator.child_by_field_name("declarator")


def _scopes(node: Any) -> list[str]:
    names = []
    while (node := node.parent) is not None:
        if node.type in _SCOPES and (name := node.child_by_field_name("name")) is not None:
            names.append(_text(name))
    return names[::-1]


def _whole(node: Any) -> Any:
    """A template's definition begins at `template`."""
    while node.parent is not None and node.parent.type == "template_declaration":
        node = node.parent
    return node


def _stands_alone(comment: Any, code: bytes) -> bool:
    """Whether nothing but space is before the comment on its line."""
    start = code.rfind(b"\n", 0, comment.start_byte) + 1
    return not code[start : comment.start_byte].strip()


def _doc(first_row: int, ends: dict[int, Any]) -> str | None:
    """The comments that end on the row above, and on the row above those, and so on."""
    block: list[str] = []
    row = first_row - 1
    while (comment := ends.get(row)) is not None:
        block.append(_text(comment))
        row = comment.start_point[0] - 1
    return "\n".join(reversed(block)) or None


def _text(node: Any) -> str:
    return node.text.decode("utf-8", "replace")  # type: ignore[no-any-return]
