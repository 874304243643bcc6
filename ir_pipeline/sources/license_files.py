"""Finds the files that say under which licence a unit's folder is."""

from __future__ import annotations

import re
from pathlib import Path

from ir_pipeline.sources.units import Unit

_NAME = re.compile(r"(?:un)?licen[sc]es?|copying|copyright", re.IGNORECASE)
_TEXT = ("", ".txt", ".md", ".rst")


class LicenseFiles:
    """Looks for the licence files of many units; each folder is looked at once."""

    def __init__(self) -> None:
        """Knows no folder."""
        self._found: dict[Path, tuple[Path, ...]] = {}

    def of(self, unit: Unit) -> tuple[Path, ...]:
        """`LICENSE`, `COPYING` and the like of the nearest folder that has one, from the unit up.

        Nothing above the unit's root is looked at, and no link that leads out of it. Programs of a
        collection have none.
        """
        if unit.path is None or not unit.path.is_relative_to(unit.root):
            return ()
        return self._nearest(unit.path.parent, unit.root)

    def _nearest(self, folder: Path, root: Path) -> tuple[Path, ...]:
        if folder not in self._found:
            found = tuple(path for path in _listed(folder) if _is_license(path, root))
            above = () if found or folder == root else self._nearest(folder.parent, root)
            self._found[folder] = found or above
        return self._found[folder]


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _is_license(path: Path, root: Path) -> bool:
    """`COPYING.LIB`, `LICENSE-MIT`, `license.txt` are; `license.c` and `licensing/` are not."""
    word = _NAME.match(path.name)
    if word is None or not path.is_file():
        return False
    rest = path.name[word.end() :]
    named = rest.lower() in _TEXT or re.fullmatch(r"[-._][A-Z0-9][-.\w]*", rest) is not None
    return named and path.resolve().is_relative_to(root.resolve())
