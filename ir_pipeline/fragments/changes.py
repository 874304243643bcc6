"""What one round of mending changes in a fragment."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ir_pipeline.fragments.diagnostics import Diagnostic
from ir_pipeline.fragments.outline import Outline
from ir_pipeline.fragments.repair import Attempt, edited

WORD = re.compile(rb"[A-Za-z_]\w*")


@dataclass
class Changes:
    """What one round changes.

    Attributes:
        attempt: the attempt that failed.
        found: what its program declares and uses.
        edits: places of its code with their new text.
        added: lines to stand before it.
        repairs: the names of what was done.
    """

    attempt: Attempt
    found: Outline
    edits: list[tuple[int, int, bytes]] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    repairs: list[str] = field(default_factory=list)

    def define(self, name: str, value: str, repair: str) -> bool:
        """Gives `name` a meaning; False where it has one already."""
        return self.add(f"#define {name} {value}", repair)

    def add(self, line: str, repair: str) -> bool:
        """Puts a line before the program; False where it is there already."""
        if line in self.attempt.added:
            return False
        self.added.append(line)
        self.repairs.append(repair)
        return True

    def edit(self, start: int, end: int, text: bytes, repair: str) -> bool:
        """Puts `text` in the place of what is there, once however many errors ask for it."""
        if (start, end, text) not in self.edits:
            self.edits.append((start, end, text))
        self.repairs.append(repair)
        return True

    def offset(self, line: int, column: int) -> int:
        """Where a line and column of the program is in its bytes."""
        lines = self.attempt.code.split(b"\n")
        return sum(len(text) + 1 for text in lines[: line - 1]) + column - 1

    def word(self, error: Diagnostic) -> str:
        """The name that an error points at."""
        found = WORD.match(self.attempt.code, self.offset(error.line, error.column))
        return found[0].decode() if found else ""

    def result(self) -> Attempt | None:
        """The changed attempt; None where nothing was changed."""
        if not self.repairs:
            return None
        added = tuple(dict.fromkeys([*self.attempt.added, *self.added]))
        code = edited(self.attempt.code, self.edits)
        return self.attempt.repaired(*self.repairs, code=code, added=added)
