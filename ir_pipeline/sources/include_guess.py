"""Guesses the include folders of a project that does not say how it is built.

A source asks for its headers by name. Where none of the usual folders has one, the tree is
searched for a file whose path ends with that name, and the folder that the rest of the path names
is added. What those headers ask for is found the same way.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

from ir_pipeline.sources.units import Unit, walk

HEADERS = (
    *(".h", ".hh", ".hp", ".hpp", ".hxx", ".h++", ".inc", ".def"),
    *(".inl", ".ipp", ".ixx", ".tcc", ".tpp", ".txx"),
)
"""Suffixes of the files that sources include."""

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*(?:<([^>\n]+)>|"([^"\n]+)")', re.MULTILINE)
# Past these it is no longer the project's own code that is being followed.
_MOST_FOLDERS = 32
MOST_FILES = 2000
_MOST_BYTES = 2**20


def with_guessed_includes(units: Sequence[Unit], root: Path) -> Iterator[Unit]:
    """The units of a folder, each with the include folders that its headers seem to need.

    Those are searched last, after the system's: a project's `string.h` for another system must
    not stand in for this one's.
    """
    tree = _Tree(root)
    for unit in units:
        folders = [] if unit.language == "llvm-ir" else tree.folders_for(unit)
        flags = [word for folder in folders for word in ("-idirafter", f"./{folder}")]
        yield replace(unit, flags=(*unit.flags, *flags))


class _Tree:
    """The headers of a project."""

    def __init__(self, root: Path):
        self._root = root
        self._headers: dict[str, list[str]] = defaultdict(list)
        self._files: set[str] = set()
        self._asked: dict[str, tuple[str, ...]] = {}
        for path in walk(root):
            name = path.relative_to(root).as_posix()
            self._files.add(name)
            if path.suffix.lower() in HEADERS:
                self._headers[path.name].append(name)

    def folders_for(self, unit: Unit) -> list[str]:
        """Folders, relative to the root, in the order in which they were found to be needed."""
        assert unit.path is not None
        start = unit.path.relative_to(unit.root).as_posix()
        folders: list[str] = []
        waiting, seen = [start], {start}
        while waiting and len(seen) < MOST_FILES:
            file = waiting.pop(0)
            for name in self._asked_by(file):
                found = self._find(name, file, [*unit.includes, *folders])
                if found is None and len(folders) < _MOST_FOLDERS:
                    found = self._nearest(name, start)
                    folders += [found[: -len(name)].rstrip("/") or "."] if found else []
                if found is not None and found not in seen:
                    seen.add(found)
                    waiting.append(found)
        return folders

    def _asked_by(self, file: str) -> tuple[str, ...]:
        if file not in self._asked:
            self._asked[file] = asked_names(self._root / file)
        return self._asked[file]

    def _find(self, name: str, asking: str, folders: Iterable[str]) -> str | None:
        """The file that an include folder, or the folder of who asks, has under `name`."""
        for folder in (posixpath.dirname(asking), *folders):
            path = posixpath.normpath(posixpath.join(folder, name))
            if path in self._files:
                return path
        return None

    def _nearest(self, name: str, source: str) -> str | None:
        """Of the headers whose path ends with `name`, the one that shares most with `source`."""
        ends = [
            header
            for header in self._headers.get(posixpath.basename(name), [])
            if header == name or header.endswith(f"/{name}")
        ]
        return min(ends, key=lambda header: (-_shared(header, source), header), default=None)


def asked_names(file: Path) -> tuple[str, ...]:
    """The names that the `#include` lines of a file ask for."""
    names = (angled or quoted for angled, quoted in _INCLUDE.findall(_beginning(file)))
    return tuple(dict.fromkeys(name.decode("utf-8", "surrogateescape") for name in names))


def _beginning(path: Path) -> bytes:
    """The part of a file that its includes are in; nothing of a device or what cannot be read."""
    if not path.is_file():
        return b""
    try:
        with path.open("rb") as file:
            return file.read(_MOST_BYTES)
    except OSError:
        return b""


def _shared(one: str, other: str) -> int:
    """How many folders two paths have in common."""
    pairs = zip(one.split("/")[:-1], other.split("/")[:-1], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
