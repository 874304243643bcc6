"""One hash for all that the rows of a corpus are made from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from ir_pipeline.sources import Unit, walk

# Sources and IR are units, which are hashed anyway.
_HEADERS = (
    *(".h", ".hh", ".hp", ".hpp", ".hxx", ".h++", ".inc", ".def"),
    *(".inl", ".ipp", ".ixx", ".tcc", ".tpp", ".txx"),
)


def content_hash(units: Sequence[Unit]) -> str:
    """A hash of the names and bytes of all units and of the headers that they may include.

    Those are, of a folder or tarball, the ones anywhere in it; of a single file, the ones in its
    include folders, not below, which could be a whole disk.
    """
    total = hashlib.sha256()
    for unit in units:
        total.update(f"{unit.project}/{unit.name}/{unit.label}\0".encode("utf-8", "replace"))
        total.update(hashlib.sha256(_bytes_of(unit)).digest())
    for name, header in _headers(units):
        total.update(f"{name}\0".encode("utf-8", "backslashreplace"))
        total.update(hashlib.sha256(_bytes_of(header)).digest())
    return total.hexdigest()


def _bytes_of(thing: Unit | Path) -> bytes:
    # What cannot be read costs one row later, not the run.
    try:
        return thing.content() if isinstance(thing, Unit) else thing.read_bytes()
    except OSError as error:
        return f"unreadable: {error.strerror}".encode()


def _headers(units: Sequence[Unit]) -> Iterator[tuple[str, Path]]:
    """The headers, each with its name below the root of its units."""
    trees = {unit.root: unit.project for unit in units if unit.whole_root}
    for root, project in sorted(trees.items(), key=lambda item: (item[1], item[0])):
        for path in walk(root):
            if _is_header(path):
                yield f"{project}/{path.relative_to(root).as_posix()}", path
    folders = {
        (unit.project, unit.root, folder)
        for unit in units
        if not unit.whole_root
        for folder in unit.includes
    }
    for project, root, folder in sorted(folders):
        for path in sorted((root / folder).iterdir()):
            if _is_header(path):
                yield f"{project}/{folder}/{path.name}", path


def _is_header(path: Path) -> bool:
    return path.suffix.lower() in _HEADERS and path.is_file()
