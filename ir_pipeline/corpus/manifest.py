"""`manifest.json`: what a corpus was made from and with, and how much of it there is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ir_pipeline.corpus.layout import FORMAT_VERSION, SHARDS
from ir_pipeline.corpus.shards import Shard
from ir_pipeline.engine.counts import Counts
from ir_pipeline.engine.tools import tool_versions
from ir_pipeline.engine.work import Settings
from ir_pipeline.sources.content import content_hash
from ir_pipeline.sources.units import Unit
from static_analysis import ENVIRONMENT_VERSION


def plan(units: Sequence[Unit], settings: Settings, dedup: str) -> dict[str, Any]:
    """All that the bytes of a corpus depend on: its sources, options and tools.

    Two runs with equal plans make equal corpora; a run can continue one with an equal plan.
    """
    limits = settings.limits
    return {
        "format_version": FORMAT_VERSION,
        "environment_version": ENVIRONMENT_VERSION,
        "tools": tool_versions(settings),
        "options": {
            "views": list(settings.views),
            "std": settings.std,
            "seed": settings.seed,
            "dedup": dedup,
            "library": settings.library,
            "time_limit": limits.unit_seconds,
            "view_time_limit": limits.view_seconds,
            "memory_limit_gb": limits.memory_gb,
        },
        "sources": {
            "projects": list(dict.fromkeys(unit.project for unit in units)),
            "sha256": content_hash(units),
        },
    }


def manifest(plan: dict[str, Any], counts: Counts, shards: Sequence[Shard]) -> str:
    """Text of the manifest; `shards` are the files in order."""
    entries = [
        {
            "file": f"{SHARDS}/{shard.path.name}",
            "rows": shard.rows,
            "sha256": file_hash(shard.path),
        }
        for shard in shards
    ]
    return as_text({**plan, "counts": counts.as_json(), "shards": entries})


def file_hash(path: Path) -> str:
    """SHA-256 of a file, as hex digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_json(path: Path) -> dict[str, Any] | None:
    """What a manifest or plan of ours says; None where there is none.

    Other programs write files of these names too: ours have a `format_version`.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    ours = isinstance(found, dict) and type(found.get("format_version")) is int
    return found if ours else None


def as_text(data: dict[str, Any]) -> str:
    """JSON as all files of a corpus have it."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
