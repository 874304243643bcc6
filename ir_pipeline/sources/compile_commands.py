"""Units of a project whose build wrote down how it compiles: `compile_commands.json`.

The format is clang's JSON compilation database
(https://clang.llvm.org/docs/JSONCompilationDatabase.html).
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

from ir_pipeline.atomic import write_atomically
from ir_pipeline.errors import one_line
from ir_pipeline.sources.compile_flags import read_command
from ir_pipeline.sources.units import Unit, language_of, printable
from static_analysis.errors import OscarError

DATABASE = "compile_commands.json"
# The build was configured with the libraries of this system. The compiler's own C library is not
# this system's, and comes first.
_SYSTEM_LAST = tuple(
    word
    for folder in ("/usr/local/include", "/usr/include", "/usr/include/x86_64-linux-gnu")
    for word in ("-idirafter", folder)
)
_LAUNCHERS = ("ccache", "sccache", "distcc", "icecc")
_CXX = re.compile(r"(?:.*-)?(?:c|g|clang)\+\+(?:-[\d.]+)?")
_GONE = f"{DATABASE} names it, and it is not there: if the build makes it, run the build first"
_OUTSIDE = (
    f"{DATABASE} names it, and it is outside of the project's folder: name {DATABASE} itself, or a "
    "folder that holds both"
)
# Where builds put it, besides the project's own folder.
_BUILD_FOLDERS = ("build*", "out*", "cmake-build*", "_build*", "builddir*")


@dataclass(frozen=True)
class Entry:
    """One file compiled by one command.

    Attributes:
        folder: where the command ran.
        file: the source, as an absolute path.
        compiler: its name, without folder.
        arguments: the words after that.
    """

    folder: Path
    file: Path
    compiler: str
    arguments: tuple[str, ...]

    @property
    def language(self) -> str | None:
        """The language of the source as this compiler takes it."""
        language = language_of(self.file)
        return "c++" if language == "c" and _CXX.fullmatch(self.compiler) else language


def find_database(folder: Path) -> Path | None:
    """The database of the project in `folder`: at its top, or in one of its build folders."""
    places = [folder, *sorted(p for name in _BUILD_FOLDERS for p in folder.glob(name))]
    return next((p / DATABASE for p in places if (p / DATABASE).is_file()), None)


def read_database(file: Path) -> list[Entry]:
    """The entries of a compilation database.

    Raises:
        OscarError: it cannot be read, or an entry lacks its file, folder or command.
    """
    try:
        entries = json.loads(file.read_bytes())
        return [_entry(entry, file.parent) for entry in entries]
    except (OSError, ValueError, RecursionError) as error:
        raise OscarError(one_line(f"{file}: cannot be read: {error}")) from None
    except (KeyError, TypeError, AttributeError):
        raise OscarError(
            f"{file}: not a compilation database: a list of objects with directory, file and "
            "command or arguments"
        ) from None


def write_database(entries: Sequence[Entry], file: Path) -> None:
    """Writes a compilation database; other tools read it too."""
    data = [
        {
            "directory": str(entry.folder),
            "file": str(entry.file),
            "arguments": [entry.compiler, *entry.arguments],
        }
        for entry in entries
    ]
    write_atomically(file, f"{json.dumps(data, indent=2)}\n".encode())


def root_of(entries: Sequence[Entry], database: Path) -> Path:
    """The folder that holds a database, all its sources and the folders its commands ran in.

    Raises:
        OscarError: only the whole disk does.
    """
    places = [database.resolve().parent, *(entry.folder for entry in entries)]
    root = Path(os.path.commonpath([*places, *(entry.file.parent for entry in entries)]))
    if root == Path(root.anchor):
        raise OscarError(f"{database}: its files are all over the disk: name the project's folder")
    return root


def _entry(entry: dict[str, Any], place: Path) -> Entry:
    words = entry.get("arguments")
    words = shlex.split(entry["command"]) if words is None else [str(word) for word in words]
    if words and os.path.basename(words[0]) in _LAUNCHERS:
        words = words[1:]
    compiler = os.path.basename(words[0]) if words else ""
    folder = Path(os.path.realpath(place / entry["directory"]))
    file = Path(os.path.realpath(folder / entry["file"]))
    return Entry(folder, file, compiler, tuple(words[1:]))


def units_of_entries(
    entries: Sequence[Entry], project: str, root: Path, build: Path | None = None
) -> Iterator[Unit]:
    """The units that a build compiles, each file with its flags, in an order of names.

    A file that is compiled with several sets of flags gives one unit for each: `a.c`, `a.c#2`, …
    in the order of their flags. A file that is gone, or outside of the project, gives one with
    nothing but a `fault`.

    Args:
        entries: of the build.
        project: name of the project.
        root: its folder.
        build: another folder that holds sources and headers that the build made.
    """
    places = [root.resolve(), *([build.resolve()] if build else [])]
    found = {unit: None for entry in entries if (unit := _unit(entry, project, places))}
    last, number = "", count(1)
    for unit in sorted(found, key=lambda unit: (unit.name, unit.portable_flags, unit.language)):
        number = number if unit.name == last else count(1)
        last, n = unit.name, next(number)
        yield unit if n == 1 else replace(unit, name=f"{unit.name}#{n}")


def _unit(entry: Entry, project: str, places: Sequence[Path]) -> Unit | None:
    run = read_command(entry.arguments, entry.folder, places)
    language = run.language or entry.language
    if language not in ("c", "c++"):
        return None
    name = _name(entry.file, places)
    unit = Unit(
        project=printable(project),
        # Where it is on this machine is not told.
        name=printable(name or f"…/{entry.file.name}"),
        language=language,
        root=places[0],
        whole_root=True,
        build=places[1] if len(places) > 1 else None,
    )
    if name is None:
        return replace(unit, fault=_OUTSIDE)
    if not entry.file.is_file():
        return replace(unit, fault=_GONE)
    return replace(unit, path=entry.file, flags=(*run.flags, *_SYSTEM_LAST))


def _name(file: Path, places: Sequence[Path]) -> str | None:
    """The name of a unit of the project or its build; None for one of neither."""
    if file.is_relative_to(places[0]):
        return file.relative_to(places[0]).as_posix()
    if file.is_relative_to(places[-1]):
        return f"build/{file.relative_to(places[-1]).as_posix()}"
    return None
