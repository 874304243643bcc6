"""Recordings of many programs in a folder, one compressed file each."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.static_analysis.oracle.inputs import inputs_for
from tests.static_analysis.oracle.recording import VIEWS, Oracle, Recording


@dataclass(frozen=True)
class Program:
    """A program's recordings, by view; or why there are none."""

    name: str
    views: dict[str, Recording]
    skip: str | None = None


def record_programs(programs: Iterable[tuple[str, str]], folder: Path, seed: int = 0) -> None:
    """Record the programs that the folder lacks.

    Args:
        programs: names (any text) and codes.
        folder: is made if need be.
        seed: chooses other inputs.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with Oracle() as oracle:
        for name, code in programs:
            place = place_of(folder, name)
            if not place.exists():
                found = oracle.record(inputs_for(f"{seed}/{name}"), VIEWS, code=code)
                _write(place, name, found)


def place_of(folder: Path, name: str) -> Path:
    """Return the file for a program's recordings."""
    return folder / f"{name.replace('/', '_')}.json.gz"


def _write(place: Path, name: str, found: dict[str, Recording] | str) -> None:
    content: dict[str, object] = {"name": name}
    if isinstance(found, str):
        content["skip"] = found
    else:
        content["views"] = {view: recording.to_json() for view, recording in found.items()}
    draft = place.with_suffix(".draft")
    draft.write_bytes(gzip.compress(json.dumps(content).encode(), compresslevel=6, mtime=0))
    os.replace(draft, place)


def read_program(place: Path) -> Program:
    """Read the recordings of one program."""
    content = json.loads(gzip.decompress(place.read_bytes()))
    views = {
        view: Recording.from_json(recording) for view, recording in content.get("views", {}).items()
    }
    return Program(content["name"], views, content.get("skip"))
