"""How much of the input became rows, and what happened to the rest."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Counts:
    """How much went in, came out and was left out.

    Attributes:
        units: units found.
        functions: functions with at least one row.
        rows: function views.
        instructions: instructions of all rows.
        dropped: functions and views left out, by reason.
        errors: units lost, by reason.
        repairs: units changed to make them compile, by repair.
    """

    units: int = 0
    functions: int = 0
    rows: int = 0
    instructions: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    repairs: Counter[str] = field(default_factory=Counter)

    def add(self, other: Counts) -> None:
        """Adds the counts of another part of the corpus."""
        for name, value in vars(other).items():
            mine = getattr(self, name)
            mine.update(value) if isinstance(mine, Counter) else setattr(self, name, mine + value)

    def as_json(self) -> dict[str, Any]:
        """The counts with their reasons in alphabetical order."""
        return {
            name: dict(sorted(value.items())) if isinstance(value, Counter) else value
            for name, value in vars(self).items()
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Counts:
        """Reads what `as_json` gave."""
        counts = cls()
        for name, value in data.items():
            setattr(counts, name, Counter(value) if isinstance(value, dict) else value)
        return counts
