"""Reads what clang prints: where an error stands, what it says and how clang would mend it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

PRINT_FIXES = "-fdiagnostics-parseable-fixits"
"""The flag that makes clang print its fixes for programs to read."""

_LINE = re.compile(
    r"(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?P<column>\d+): (?P<kind>(?:fatal )?error|note): "
    r"(?P<message>.*)"
    r'|fix-it:"(?P<fixed>[^"]*)":\{(?P<row>\d+):(?P<start>\d+)-(?P<end_row>\d+):(?P<end>\d+)\}'
    r':"(?P<text>[^"]*)"'
)


@dataclass(frozen=True)
class Fix:
    """A change that clang proposes for one error.

    Attributes:
        line: of the file as it stands, counted from 1; `#line` does not matter.
        start: first column, in bytes, counted from 1.
        end: column after the last.
        text: what shall stand there.
    """

    line: int
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Diagnostic:
    """One error.

    Attributes:
        file: as clang names it.
        line: as `#line` has it, counted from 1.
        column: in bytes, counted from 1.
        message: what clang says.
        fixes: what clang would change.
    """

    file: str
    line: int
    column: int
    message: str
    fixes: tuple[Fix, ...] = ()


def read_errors(diagnostics: str, file: str) -> list[Diagnostic]:
    """The errors that stand in `file` itself, in order, each with its fixes."""
    return [error for error in _errors(diagnostics) if error.file.endswith(file)]


def _errors(diagnostics: str) -> Iterator[Diagnostic]:
    error: Diagnostic | None = None
    fixes: list[Fix] = []
    for line in diagnostics.splitlines():
        found = _LINE.fullmatch(line)
        if found is None:
            continue
        if found["text"] is not None:
            fixes += _fix(found)
            continue
        if error is not None:
            yield Diagnostic(error.file, error.line, error.column, error.message, tuple(fixes))
        # A note's fix is one of several ways to read the program, and not taken.
        error, fixes = None, []
        if found["kind"] != "note":
            place = int(found["line"]), int(found["column"])
            error = Diagnostic(found["file"], *place, found["message"])
    if error is not None:
        yield Diagnostic(error.file, error.line, error.column, error.message, tuple(fixes))


def _fix(found: re.Match[str]) -> list[Fix]:
    if found["row"] != found["end_row"]:
        return []
    return [Fix(int(found["row"]), int(found["start"]), int(found["end"]), found["text"])]
