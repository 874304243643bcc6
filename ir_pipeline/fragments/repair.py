"""The ways to compile a program fragment: what stands before it, in which language, how changed.

Collections of student programs such as POJ-104 hold programs without `#include` lines, written
for compilers of the 1990s.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from ir_pipeline.fragments.outline import outline


@dataclass(frozen=True)
class Attempt:
    """One way to compile a fragment.

    Attributes:
        code: the program without its prelude.
        language: `c` or `c++`.
        std: value of `-std`.
        repairs: what was changed, in words made for counting.
        added: lines between the prelude and the program: what it uses and nobody declares.
    """

    code: bytes
    language: str
    std: str
    repairs: tuple[str, ...] = ()
    added: tuple[str, ...] = ()

    @property
    def prelude(self) -> list[str]:
        """The lines before the program; after the last, line numbers are the program's own."""
        using = ["using namespace std;"] if self.language == "c++" else []
        return ["#include <bits/stdc++.h>", *using, *self.added, "#line 1"]

    @property
    def text(self) -> bytes:
        """The whole program."""
        return "\n".join([*self.prelude, ""]).encode() + self.code

    def repaired(self, *repairs: str, **changes: Any) -> Attempt:
        """This attempt with `changes`, and `repairs` among its repairs."""
        return replace(self, repairs=tuple(dict.fromkeys([*self.repairs, *repairs])), **changes)


def first_attempt(code: str, std: str | None = None) -> Attempt:
    """C++98, or `std`, with `main` returning int."""
    std = std or "c++98"
    text = code.encode("utf-8", "replace")
    return _main_returns_int(Attempt(text, "c++" if "++" in std else "c", std))


def dialects(first: Attempt, *, any_std: bool) -> list[Attempt]:
    """The languages to try a fragment in, best first.

    Args:
        first: the first of them.
        any_std: whether other standards and languages may be tried.
    """
    if not any_std:
        return [first]
    return [
        first,
        first.repaired("compiled as C", language="c", std="gnu89"),
        first.repaired("compiled as C++17", std="gnu++17"),
    ]


def edited(code: bytes, edits: Iterable[tuple[int, int, bytes]]) -> bytes:
    """`code` with other text at some places, each (start, end, text).

    Of two places that overlap the first is changed.
    """
    parts, reached = [], 0
    for start, end, text in sorted(edits, key=lambda edit: edit[:2]):
        if start >= reached:
            parts += [code[reached:start], text]
            reached = end
    return b"".join([*parts, code[reached:]])


def _main_returns_int(attempt: Attempt) -> Attempt:
    found = outline(attempt.code)
    void = [(node.start_byte, node.end_byte, b"int") for node in found.void_mains]
    names = [node for node in found.untyped if node.text == b"main"]
    bare = [(node.start_byte, node.start_byte, b"int ") for node in names]
    code = edited(attempt.code, [*void, *bare])
    attempt = attempt.repaired("void main", code=code) if void else attempt
    return attempt.repaired("bare main", code=code) if bare else attempt
