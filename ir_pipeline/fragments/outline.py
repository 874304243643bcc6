"""What a program fragment declares and uses, with tree-sitter: it reads broken programs too."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_QUERY = """
(_ declarator: [(identifier) (type_identifier)] @declared)
(parenthesized_declarator (identifier) @declared)
(reference_declarator (identifier) @declared)
(enumerator name: (identifier) @declared)
(preproc_def name: (identifier) @declared)
(preproc_function_def name: (identifier) @declared)
[(struct_specifier name: (type_identifier) @declared)
 (class_specifier name: (type_identifier) @declared)
 (union_specifier name: (type_identifier) @declared)
 (enum_specifier name: (type_identifier) @declared)]
(call_expression function: (identifier) @called)
(function_definition
    type: (primitive_type) @result
    declarator: (function_declarator declarator: (identifier) @main)
    (#eq? @result "void") (#eq? @main "main"))
(translation_unit (function_definition !type
    declarator: (function_declarator declarator: (identifier) @untyped)))
(function_definition body: (compound_statement) @body)
(for_statement initializer: (declaration) @loop)
"""


@dataclass(frozen=True)
class Outline:
    """Parts of a program, as nodes of tree-sitter.

    Attributes:
        declared: names that are declared or defined anywhere.
        called: names that are called like functions.
        void_mains: the word `void` before `main`.
        untyped: names of functions defined without a return type; constructors are none.
        bodies: of the functions.
        loops: declarations in the heads of `for` loops.
    """

    declared: frozenset[str]
    called: frozenset[str]
    void_mains: list[Any]
    untyped: list[Any]
    bodies: list[Any]
    loops: list[Any]


def outline(code: bytes) -> Outline:
    """Reads `code` as C++, which all dialects of C are close enough to."""
    from tree_sitter import QueryCursor

    parser, query = _grammar()
    found: dict[str, list[Any]] = {}
    for _, captures in QueryCursor(query).matches(parser.parse(code).root_node):
        for name, nodes in captures.items():
            found.setdefault(name, []).extend(nodes)
    return Outline(
        declared=_names(found.get("declared", [])),
        called=_names(found.get("called", [])),
        void_mains=found.get("result", []),
        untyped=found.get("untyped", []),
        bodies=found.get("body", []),
        loops=found.get("loop", []),
    )


def _names(nodes: list[Any]) -> frozenset[str]:
    return frozenset(node.text.decode("utf-8", "replace") for node in nodes)


@lru_cache
def _grammar() -> tuple[Any, Any]:
    import tree_sitter
    import tree_sitter_cpp

    language = tree_sitter.Language(tree_sitter_cpp.language())
    return tree_sitter.Parser(language), tree_sitter.Query(language, _QUERY)
