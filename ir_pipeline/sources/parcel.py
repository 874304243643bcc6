"""A folder of sources as bytes, for machines that do not have it."""

from __future__ import annotations

import io
import os
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ir_pipeline.sources.included import included_files
from ir_pipeline.sources.license_files import LicenseFiles
from ir_pipeline.sources.units import Unit

# What a build leaves behind, and no source includes.
_OBJECTS = (b"\x7fELF", b"!<arch>\n")
_HISTORY = {".git", ".hg", ".svn"}


def places_of(unit: Unit) -> tuple[Path, ...]:
    """The folders that the compiler needs for a unit; none for the text of a fragment."""
    if unit.path is None:
        return ()
    return (unit.root,) if unit.build is None else (unit.root, unit.build)


def pack(place: Path, units: Sequence[Unit]) -> bytes:
    """The files of a folder that its units may read, as a tarball.

    That is all of them where the folder was named as a source, but for links that lead elsewhere,
    object files and the history of versions; else the units, what they include, and its licence.

    Args:
        place: one of `places_of` each of the units.
        units: all units of it.
    """
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=1) as tar:
        if any(unit.whole_root or unit.build == place for unit in units):
            hidden = {link for unit in units for link in unit.links}
            for file in _below(place):
                if file not in hidden:
                    _add(tar, file, file.relative_to(place))
        else:
            for file in sorted({file for unit in units for file in _files_of(unit)}):
                _add(tar, file.resolve(), file.relative_to(place))
    return packed.getvalue()


def unpack_parcel(data: bytes, folder: Path) -> None:
    """Puts the files of a parcel into an empty folder."""
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        tar.extractall(folder, filter="data")


def moved(unit: Unit, places: Mapping[Path, Path]) -> Unit:
    """The unit on a machine that has its folders elsewhere."""
    if unit.path is None:
        return unit
    own = {place: places[place] for place in places_of(unit)}
    build, flags = unit.build, unit.flags
    if build is not None:
        flags = tuple(flag.replace(str(build), str(own[build])) for flag in flags)
    return replace(
        unit,
        root=own[unit.root],
        path=_moved(unit.path, own),
        build=None if build is None else own[build],
        flags=flags,
        links=tuple(_moved(link, own) for link in unit.links),
    )


def _moved(path: Path, places: Mapping[Path, Path]) -> Path:
    home = next(place for place in places if path.is_relative_to(place))
    return places[home] / path.relative_to(home)


def _files_of(unit: Unit) -> tuple[Path, ...]:
    """What a unit that was named singly is made from."""
    own = () if unit.path is None else (unit.path,)
    return (*own, *included_files(unit), *LicenseFiles().of(unit))


def _below(place: Path) -> Iterator[Path]:
    for folder, below, files in os.walk(place):
        below[:] = sorted(set(below) - _HISTORY)
        links = [name for name in below if Path(folder, name).is_symlink()]
        yield from (Path(folder, name) for name in sorted([*links, *files]))


def _add(tar: tarfile.TarFile, file: Path, name: Path) -> None:
    if file.is_symlink():
        info = tarfile.TarInfo(str(name))
        info.type = tarfile.SYMTYPE
        info.linkname = os.path.relpath(os.path.realpath(file), os.path.realpath(file.parent))
        tar.addfile(info)
    elif file.is_file() and os.access(file, os.R_OK):
        with file.open("rb") as content:
            if not content.read(8).startswith(_OBJECTS):
                tar.add(file, str(name))
