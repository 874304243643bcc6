"""Finds the units in what a user names: folders, files, `.jsonl[.gz]` collections, tarballs."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

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
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".def")
_COLLECTIONS = (".jsonl", ".jsonl.gz")
_ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")


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
    """

    project: str
    name: str
    language: str
    root: Path
    path: Path | None = None
    code: str | None = None
    includes: tuple[str, ...] = ()
    label: str | None = None

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
            if (unit.project, unit.name) in taken:
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
    if name.endswith(_COLLECTIONS):
        return _units_of_collection(source)
    if name.endswith(_ARCHIVES):
        return _units_of_archive(source, scratch)
    if _language(source) is None:
        raise OscarError(f"{source}: not a C, C++, .ll, .bc, .jsonl[.gz] or .tar.* file")
    return iter([_file_unit(source, source.parent, source.resolve().parent.name)])


def _units_of_folder(folder: Path, project: str) -> Iterator[Unit]:
    for place, below, files in os.walk(folder):
        below[:] = sorted(name for name in below if not name.startswith("."))
        for file in sorted(files):
            path = Path(place, file)
            if _language(path) is not None and path.is_file():
                yield _file_unit(path, folder, project)


def _file_unit(path: Path, root: Path, project: str) -> Unit:
    relative = path.relative_to(root)
    places = (".", "include", relative.parent.as_posix())
    includes = tuple(p for p in dict.fromkeys(places) if (root / p).is_dir())
    return Unit(
        project=project,
        name=_printable(relative.as_posix()),
        language=_language(path) or "c",
        root=root.absolute(),
        path=path.absolute(),
        includes=includes,
    )


def _units_of_collection(file: Path) -> Iterator[Unit]:
    project = file.name.split(".jsonl")[0]
    opener = gzip.open if file.suffix == ".gz" else open
    try:
        with opener(file, "rt", encoding="utf-8", errors="replace") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _record_unit(line, f"{file.name}:{number}", project)
    except (OSError, EOFError) as error:
        raise OscarError(f"{file}: cannot be read: {error}") from None


def _record_unit(line: str, place: str, project: str) -> Unit:
    try:
        record = json.loads(line)
        code = record["code"]
    except (ValueError, KeyError, TypeError):
        raise OscarError(f"{place}: not a JSON object with a 'code' field") from None
    label = record.get("label")
    return Unit(
        project=project,
        name=_printable(str(record.get("file") or place)),
        language="fragment",
        root=Path("."),
        code=str(code),
        label=None if label is None else str(label),
    )


def _units_of_archive(archive: Path, scratch: Path) -> Iterator[Unit]:
    scratch.mkdir(parents=True)
    try:
        with tarfile.open(archive) as tar:
            # The filter refuses absolute names, "..", devices and links that lead outside.
            tar.extractall(scratch, filter="data")
    except tarfile.FilterError as error:
        raise OscarError(f"{archive}: refused, unsafe member: {error}") from None
    except (tarfile.TarError, OSError, EOFError) as error:
        raise OscarError(f"{archive}: cannot be unpacked: {error}") from None
    tops = sorted(scratch.iterdir())
    # Most tarballs hold one folder, and that folder is the root its includes are meant for.
    root = tops[0] if len(tops) == 1 and tops[0].is_dir() else scratch
    return _units_of_folder(root, archive.name.split(".tar")[0].removesuffix(".tgz"))


def content_hash(units: Sequence[Unit]) -> str:
    """A hash of the names and bytes of all units and of the headers beside them."""
    total = hashlib.sha256()
    for unit in units:
        total.update(f"{unit.project}/{unit.name}/{unit.label}\0".encode("utf-8", "replace"))
        total.update(hashlib.sha256(unit.content()).digest())
    for header in _headers(units):
        total.update(hashlib.sha256(header.read_bytes()).digest())
    return total.hexdigest()


def _headers(units: Sequence[Unit]) -> list[Path]:
    """The headers in the units' include folders; not below, which could be a whole disk."""
    folders = {unit.root / folder for unit in units for folder in unit.includes}
    return [
        path
        for folder in sorted(folders)
        for path in sorted(folder.iterdir())
        if path.suffix.lower() in _HEADERS and path.is_file()
    ]


def _language(path: Path) -> str | None:
    return "c++" if path.suffix == ".C" else LANGUAGES.get(path.suffix.lower())


def _printable(name: str) -> str:
    return name.encode("utf-8", "backslashreplace").decode()
