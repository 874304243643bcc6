"""`manifest.json`: what a corpus was made from and with, and how much of it there is."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ir_pipeline.layout import FORMAT_VERSION, SHARDS
from ir_pipeline.sources import Unit, content_hash
from ir_pipeline.unit import Settings
from static_analysis import ENVIRONMENT_VERSION

# Packages whose version can change a row or the bytes of a shard.
_TOOLS = ("llvmlite", "pyarrow", "tree-sitter", "tree-sitter-c", "tree-sitter-cpp")


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


def plan(units: Sequence[Unit], settings: Settings) -> dict[str, Any]:
    """All that the bytes of a corpus depend on: its sources, options and tools.

    Two runs with equal plans make equal corpora; a run can continue one with an equal plan.
    """
    limits = settings.limits
    return {
        "format_version": FORMAT_VERSION,
        "environment_version": ENVIRONMENT_VERSION,
        "tools": {"clang": settings.toolchain.version, **{name: version(name) for name in _TOOLS}},
        "options": {
            "views": list(settings.views),
            "std": settings.std,
            "seed": settings.seed,
            "time_limit": limits.unit_seconds,
            "memory_limit_gb": limits.memory_gb,
        },
        "sources": {
            "projects": list(dict.fromkeys(unit.project for unit in units)),
            "sha256": content_hash(units),
        },
    }


def manifest(plan: dict[str, Any], counts: Counts, shards: Sequence[tuple[Path, int]]) -> str:
    """Text of the manifest; `shards` are the files in order, with their numbers of rows."""
    entries = [
        {
            "file": f"{SHARDS}/{path.name}",
            "rows": rows,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
        for path, rows in shards
    ]
    return as_text({**plan, "counts": counts.as_json(), "shards": entries})


def as_text(data: dict[str, Any]) -> str:
    """JSON as all files of a corpus have it."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
