"""The files that a source named singly may read: those that its `#include` lines lead to.

What surrounds such a file may be a whole disk. These files are what the compiler sees of it, what
counts as its source, and what travels with it to other machines.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ir_pipeline.sources.include_guess import MOST_FILES, asked_names
from ir_pipeline.sources.units import Unit


def included_files(unit: Unit) -> list[Path]:
    """The files below the root of `unit` that it includes, and that those include, by name.

    They are looked for in the folder of who asks and in the include folders. Links that lead out
    of the root are no such files; a name that only a macro spells is not found.
    """
    if unit.path is None or unit.language == "llvm-ir":
        return []
    found: dict[Path, None] = {}
    waiting = [unit.path]
    while waiting and len(found) < MOST_FILES:
        for path in _included_by(waiting.pop(), unit):
            if path not in found and path != unit.path:
                found[path] = None
                waiting.append(path)
    return sorted(found)


def _included_by(file: Path, unit: Unit) -> Iterator[Path]:
    folders = [file.parent, *(unit.root / folder for folder in unit.includes)]
    for name in asked_names(file):
        paths = (Path(os.path.normpath(folder / name)) for folder in folders)
        yield from (path for path in paths if _is_inside(path, unit.root))


def _is_inside(path: Path, root: Path) -> bool:
    try:
        real = path.resolve()
        return path.is_relative_to(root) and real.is_relative_to(root) and real.is_file()
    except (OSError, RuntimeError, ValueError):
        # A circle of links, or a name that no file can have.
        return False
