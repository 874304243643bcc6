"""Records how a build compiles, by standing in for its compilers.

The build runs as ever. First on its PATH are small scripts with the compilers' names, which note
their command line and then become the real compiler.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ir_pipeline.errors import one_line
from ir_pipeline.sources.compile_commands import DATABASE, Entry, read_database, write_database
from ir_pipeline.sources.compile_flags import read_command
from ir_pipeline.sources.units import printable
from static_analysis.errors import OscarError

_COMPILERS = (
    *("cc", "c89", "c99", "gcc", "clang", "c++", "g++", "clang++"),
    *("x86_64-linux-gnu-gcc", "x86_64-linux-gnu-g++"),
)
# A file for each process: builds run many at once. `$#` tells records apart that share one.
_WRAPPER = """#!/bin/sh
printf '%s\\0' "$#" "$PWD" {name} "$@" >> {notes}/$$
exec {compiler} "$@"
"""


def record(command: Sequence[str], folder: Path) -> Path:
    """Runs a build in a folder and writes how it compiled to `compile_commands.json` there.

    What an earlier run recorded stays: a second `make` compiles only what has changed. Files that
    are gone when the build has ended, such as a `conftest.c` of configure, are left out and named
    on standard error.

    Args:
        command: the build, such as `make -j4`; what it prints goes to standard error.
        folder: the project's.

    Returns:
        The compilation database.

    Raises:
        OscarError: there is no build, it cannot be run or fails, or nothing was ever recorded.
    """
    if not command:
        raise OscarError("--record: no build given: put it last, as in -- make -j4")
    with tempfile.TemporaryDirectory(prefix="oscar-record-") as scratch:
        wrappers, notes = Path(scratch) / "bin", Path(scratch) / "notes"
        wrappers.mkdir()
        notes.mkdir()
        _write_wrappers(wrappers, notes)
        _run(command, folder, wrappers)
        recorded = [entry for file in notes.iterdir() for entry in _read(file.read_bytes())]
    database = folder / DATABASE
    before = read_database(database) if database.is_file() else []
    new = {entry.file for entry in recorded}
    entries = _there({*recorded, *(entry for entry in before if entry.file not in new)})
    if not entries:
        raise OscarError(
            f"--record: {shlex.join(command)} compiled nothing: clean the build first "
            "(make clean), and see that it calls the compiler as cc, gcc or clang"
        )
    write_database(entries, database)
    return database


def _there(entries: Iterable[Entry]) -> list[Entry]:
    """The entries whose file is there, in order; says in a line which files are not."""
    ordered = sorted(entries, key=lambda entry: (entry.file, entry.folder, entry.arguments))
    gone = sorted({entry.file.name for entry in ordered if not entry.file.is_file()})
    if gone:
        named = one_line(", ".join(printable(name) for name in gone))
        print(f"--record: left out, no longer there after the build: {named}", file=sys.stderr)
    return [entry for entry in ordered if entry.file.is_file()]


def _run(command: Sequence[str], folder: Path, wrappers: Path) -> None:
    path = f"{wrappers}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    environment = {**os.environ, "PATH": path}
    try:
        # Only the corpus's table goes to standard output.
        status = subprocess.run(
            command, cwd=folder, env=environment, stdout=sys.stderr.fileno(), check=False
        ).returncode
    except OSError as error:
        raise OscarError(f"--record: {command[0]}: {error.strerror}") from None
    if status != 0:
        raise OscarError(
            f"--record: {shlex.join(command)} ended with status {status}: mend the build first"
        )


def _write_wrappers(wrappers: Path, notes: Path) -> None:
    for name in _COMPILERS:
        compiler = shutil.which(name)
        if compiler is not None:
            words = {"notes": shlex.quote(str(notes)), "compiler": shlex.quote(compiler)}
            words["name"] = name
            (wrappers / name).write_text(_WRAPPER.format(**words))
            (wrappers / name).chmod(0o755)


def _read(notes: bytes) -> Iterator[Entry]:
    words = [os.fsdecode(word) for word in notes.split(b"\0")]
    while len(words) > 1:
        number, folder, compiler = int(words[0]), Path(words[1]), words[2]
        arguments, words = tuple(words[3 : number + 3]), words[number + 3 :]
        run = read_command(arguments, folder, [folder])
        if run.compiles:
            for source in run.sources:
                file = Path(os.path.realpath(folder / source))
                yield Entry(folder, file, compiler, arguments)
