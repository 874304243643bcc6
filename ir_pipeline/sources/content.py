"""One hash for all that the rows of a corpus are made from."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from ir_pipeline.sources.include_guess import HEADERS
from ir_pipeline.sources.included import included_files
from ir_pipeline.sources.license_files import LicenseFiles
from ir_pipeline.sources.units import Unit, language_of, walk


def content_hash(units: Sequence[Unit]) -> str:
    """A hash of the names and bytes of all units, headers they may include, and licence files.

    Headers are, of a folder or tarball, the ones anywhere in it; of a single file, the ones that
    its `#include` lines lead to.
    """
    total = hashlib.sha256()
    for unit in units:
        named = "\0".join([f"{unit.project}/{unit.name}/{unit.label}", *unit.portable_flags, ""])
        total.update(named.encode("utf-8", "backslashreplace"))
        total.update(hashlib.sha256(_bytes_of(unit)).digest())
    # What a build makes may name its folder, which is another one in every run.
    builds = {os.fsencode(unit.build) for unit in units if unit.build is not None}
    for name, header in (*_headers(units), *_licenses(units)):
        total.update(f"{name}\0".encode("utf-8", "backslashreplace"))
        content = _bytes_of(header)
        for build in builds:
            content = content.replace(build, b"<build>")
        total.update(hashlib.sha256(content).digest())
    return total.hexdigest()


def _bytes_of(thing: Unit | Path) -> bytes:
    # What cannot be read costs one row later, not the run.
    try:
        return thing.content() if isinstance(thing, Unit) else thing.read_bytes()
    except OSError as error:
        return f"unreadable: {error.strerror}".encode()


def _headers(units: Sequence[Unit]) -> Iterator[tuple[str, Path]]:
    """What may be included, each file with its name below the root of its units."""
    own = {unit.path for unit in units}
    trees = {unit.root: unit.project for unit in units if unit.whole_root}
    trees |= {unit.build: f"{unit.project}/build" for unit in units if unit.build is not None}
    for root, project in sorted(trees.items(), key=lambda item: (item[1], item[0])):
        for path in walk(root):
            if path not in own and _is_included(path):
                yield f"{project}/{path.relative_to(root).as_posix()}", path
    singles = [unit for unit in units if not unit.whole_root]
    included = {(u.project, u.root, path) for u in singles for path in included_files(u)}
    for project, root, path in sorted(included):
        yield f"{project}/{path.relative_to(root).as_posix()}", path


def _licenses(units: Sequence[Unit]) -> list[tuple[str, Path]]:
    """The licence files that speak for a unit, named as headers are."""
    files = LicenseFiles()
    found = {(unit.project, unit.root, path) for unit in units for path in files.of(unit)}
    return [(f"{project}/{path.relative_to(root)}", path) for project, root, path in sorted(found)]


def _is_included(path: Path) -> bool:
    # Of a project with a build, sources may be there only to be included by others.
    code = path.suffix.lower() in HEADERS or language_of(path) in ("c", "c++")
    return code and path.is_file()
