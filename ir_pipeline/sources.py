"""Finds the units in what a user names: folders, files, collections, tarballs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ir_pipeline.packed import ARCHIVES, COLLECTIONS, read_records, stem, unpack
from static_analysis.errors import OscarError

LANGUAGES = {
    ".c": "c",
    ".cc": "c++",
    ".cp": "c++",
    ".cpp": "c++",
    ".cxx": "c++",
    ".c++": "c++",
    ".ll": "llvm-ir",
    ".bc": "llvm-ir",
}


@dataclass(frozen=True)
class Unit:
    """One translation unit.

    Attributes:
        project: what it belongs to; corpora are split by project.
        name: stable name inside the project: a relative POSIX path, or `file.jsonl:LINE`.
        language: `c`, `c++`, `llvm-ir`, or `fragment` where the compiler has to find out.
        root: folder the compiler runs in.
        path: the file, below `root`; None for a fragment.
        code: text of a fragment.
        includes: include folders relative to `root`.
        label: class of a labelled program.
        whole_root: whether all of `root` was named as a source, not a file in it.
    """

    project: str
    name: str
    language: str
    root: Path
    path: Path | None = None
    code: str | None = None
    includes: tuple[str, ...] = ()
    label: str | None = None
    whole_root: bool = False

    def content(self) -> bytes:
        """The unit's own bytes, headers not included."""
        if self.path is None:
            return (self.code or "").encode("utf-8", "surrogatepass")
        return self.path.read_bytes()


def find_units(sources: Sequence[Path], scratch: Path) -> list[Unit]:
    """All units of all sources, in an order that depends on nothing but their names.

    Args:
        sources: folders, C/C++/IR files, `.jsonl[.gz]` files with a `code` field, tarballs.
        scratch: folder that tarballs are unpacked into; must outlive the units.

    Raises:
        OscarError: a source is missing, unreadable or holds nothing to lower.
    """
    units: list[Unit] = []
    taken: set[tuple[str, str]] = set()
    for i, source in enumerate(sources):
        found = list(_units_of(Path(source), scratch / f"source-{i}"))
        if not found:
            raise OscarError(f"{source}: nothing to lower: no C, C++, .ll or .bc file in it")
        if any((unit.project, unit.name) in taken for unit in found):
            found = [replace(unit, project=f"{unit.project}-{i}") for unit in found]
        for unit in found:
            # Records of one collection may carry the same file name.
            while (unit.project, unit.name) in taken:
                unit = replace(unit, name=f"{unit.name} ({len(units)})")
            taken.add((unit.project, unit.name))
            units.append(unit)
    if not units:
        raise OscarError("no source given: name folders, files, .jsonl collections or tarballs")
    return units


def _units_of(source: Path, scratch: Path) -> Iterator[Unit]:
    name = source.name.lower()
    if source.is_dir():
        return _units_of_folder(source, source.resolve().name)
    if not source.exists():
        raise OscarError(f"{source}: no such file or folder")
    if not source.is_file():
        raise OscarError(f"{source}: neither a regular file nor a folder")
    if name.endswith(COLLECTIONS):
        return _units_of_collection(source)
    if name.endswith(ARCHIVES):
        return _units_of_folder(unpack(source, scratch), stem(source.name))
    if _language(source) is None:
        raise OscarError(f"{source}: not a C, C++, .ll, .bc, .jsonl[.gz] or .tar.* file")
    return iter([_file_unit(source, source.parent, source.resolve().parent.name)])


def _units_of_folder(folder: Path, project: str) -> Iterator[Unit]:
    for path in walk(folder):
        if _language(path) is not None and path.is_file():
            yield replace(_file_unit(path, folder, project), whole_root=True)


def walk(folder: Path) -> Iterator[Path]:
    """Yields what is in and below a folder in an order of names; hidden folders are skipped."""
    for place, below, files in os.walk(folder):
        below[:] = sorted(name for name in below if not name.startswith("."))
        yield from (Path(place, file) for file in sorted(files))


def _file_unit(path: Path, root: Path, project: str) -> Unit:
    relative = path.relative_to(root)
    places = (".", "include", relative.parent.as_posix())
    includes = tuple(p for p in dict.fromkeys(places) if (root / p).is_dir())
    return Unit(
        project=_printable(project),
        name=_printable(relative.as_posix()),
        language=_language(path) or "c",
        root=root.absolute(),
        path=path.absolute(),
        includes=includes,
    )


def _units_of_collection(file: Path) -> Iterator[Unit]:
    for record in read_records(file):
        yield Unit(
            project=_printable(stem(file.name)),
            name=_printable(record.name),
            language="fragment",
            root=Path("."),
            code=record.code,
            label=None if record.label is None else _printable(record.label),
        )


def _language(path: Path) -> str | None:
    return "c++" if path.suffix == ".C" else LANGUAGES.get(path.suffix.lower())


def _printable(name: str) -> str:
    return name.encode("utf-8", "backslashreplace").decode()
