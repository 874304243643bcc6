"""Finds the units in what a user names: folders, builds, files, collections, tarballs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ir_pipeline.sources.cmake import LISTS, configure
from ir_pipeline.sources.compile_commands import (
    DATABASE,
    find_database,
    read_database,
    root_of,
    units_of_entries,
)
from ir_pipeline.sources.debian import upstream_tarball
from ir_pipeline.sources.include_guess import with_guessed_includes
from ir_pipeline.sources.overlay import links_out
from ir_pipeline.sources.packed import ARCHIVES, COLLECTIONS, read_records, stem, unpack
from ir_pipeline.sources.units import Unit, file_unit, language_of, printable, walk
from static_analysis.errors import OscarError


def find_units(sources: Sequence[Path], scratch: Path, *, cmake: bool = False) -> list[Unit]:
    """All units of all sources, in an order that depends on nothing but their names.

    Args:
        sources: folders, C/C++/IR files, `compile_commands.json` files, `.jsonl[.gz]` files with
            a `code` field, tarballs, Debian `.dsc` files.
        scratch: folder that tarballs are unpacked into; must outlive the units.
        cmake: let CMake configure folders that hold a `CMakeLists.txt`.

    Raises:
        OscarError: a source is missing, unreadable or holds nothing to lower.
    """
    units: list[Unit] = []
    taken: set[tuple[str, str]] = set()
    for i, source in enumerate(sources):
        found = list(_units_of(Path(source), scratch / f"source-{i}", cmake))
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


def _units_of(source: Path, scratch: Path, cmake: bool) -> Iterable[Unit]:
    name = source.name.lower()
    if source.is_dir():
        return _units_of_folder(source, source.resolve().name, scratch if cmake else None)
    if not source.exists():
        raise OscarError(f"{source}: no such file or folder")
    if not source.is_file():
        raise OscarError(f"{source}: neither a regular file nor a folder")
    if name == DATABASE:
        return _units_of_database(source)
    if name.endswith(COLLECTIONS):
        return _units_of_collection(source)
    if name.endswith(".dsc"):
        source = upstream_tarball(source)
        name = source.name.lower()
    if name.endswith(ARCHIVES):
        folder = unpack(source, scratch / "unpacked")
        return _units_of_folder(folder, stem(source.name), scratch if cmake else None)
    if language_of(source) is None:
        raise OscarError(
            f"{source}: not a C, C++, .ll, .bc, .jsonl[.gz], .tar.*, .dsc or {DATABASE} file"
        )
    return [file_unit(source, source.parent, source.resolve().parent.name)]


def _units_of_folder(folder: Path, project: str, scratch: Path | None) -> Iterator[Unit]:
    """Units by the build's own description, by CMake's, or those of all files.

    Args:
        folder: of the project.
        project: its name.
        scratch: where CMake may write; None where it must not be run.
    """
    links = links_out(folder)
    build: Path | None = None
    database = find_database(folder)
    if database is None and scratch is not None and (folder / LISTS).is_file():
        build = scratch.absolute() / "build"
        database = configure(folder, build)
    entries = [] if database is None else read_database(database)
    units = list(units_of_entries(entries, project, folder, build))
    if all(unit.fault for unit in units):
        # A database that came with the source may be of another machine, and name nothing here.
        units = list(with_guessed_includes(list(_all_files(folder, project)), folder))
    return (replace(unit, links=links) for unit in units)


def _all_files(folder: Path, project: str) -> Iterator[Unit]:
    for path in walk(folder):
        if language_of(path) is not None and path.is_file():
            yield replace(file_unit(path, folder, project), whole_root=True)


def _units_of_database(file: Path) -> list[Unit]:
    entries = read_database(file)
    root = root_of(entries, file)
    units = list(units_of_entries(entries, root.name, root))
    if units and all(unit.fault for unit in units):
        raise OscarError(f"{file}: none of its files is there; the first: {units[0].name}")
    links = links_out(root)
    return [replace(unit, links=links) for unit in units]


def _units_of_collection(file: Path) -> list[Unit]:
    units = [
        Unit(
            project=printable(stem(file.name)),
            name=printable(record.name),
            language="fragment",
            root=Path("."),
            code=record.code,
            fault=printable(record.fault),
            label=None if record.label is None else printable(record.label),
        )
        for record in read_records(file)
    ]
    if units and all(unit.code is None for unit in units):
        raise OscarError(f"{file}: no line has a program; the first: {units[0].fault}")
    return units
