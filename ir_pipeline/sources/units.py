"""What a unit is: one file, or one program of a collection, and how it is compiled."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

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
        path: the file, below `root` or `build`; None for a fragment, and where there is none.
        code: text of a fragment; None where it has none.
        fault: why there is neither a file nor a text.
        includes: include folders relative to `root`.
        flags: of its compile command, where the project's build is known; paths below `root` are
            relative to it.
        label: class of a labelled program.
        whole_root: whether all of `root` was named as a source, not a file in it.
        build: second folder that it may include from: where the build makes its headers.
        links: links in these folders that lead out of them; the compiler does not see them.
    """

    project: str
    name: str
    language: str
    root: Path
    path: Path | None = None
    code: str | None = None
    fault: str = ""
    includes: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    label: str | None = None
    whole_root: bool = False
    build: Path | None = None
    links: tuple[Path, ...] = ()

    def content(self) -> bytes:
        """The unit's own bytes, headers not included.

        Raises:
            OSError: it cannot be read, or is a link out of its project.
        """
        if self.path is None:
            text = self.fault if self.code is None else self.code
            return text.encode("utf-8", "surrogatepass")
        if self.path in self.links:
            raise OSError(errno.EXDEV, "a link that leads out of the project")
        return self.path.read_bytes()

    @property
    def portable_flags(self) -> tuple[str, ...]:
        """The flags as they are on every machine: without the place of the build folder."""
        place = "" if self.build is None else str(self.build)
        return tuple(flag.replace(place, "<build>") if place else flag for flag in self.flags)


def language_of(path: Path) -> str | None:
    """The language of a file by its name; None where it is no unit."""
    return "c++" if path.suffix == ".C" else LANGUAGES.get(path.suffix.lower())


def file_unit(path: Path, root: Path, project: str) -> Unit:
    """The unit of a file whose compile command is not known."""
    relative = path.relative_to(root)
    places = (".", "include", relative.parent.as_posix())
    return Unit(
        project=printable(project),
        name=printable(relative.as_posix()),
        language=language_of(path) or "c",
        root=root.resolve(),
        path=root.resolve() / relative,
        includes=tuple(p for p in dict.fromkeys(places) if (root / p).is_dir()),
    )


def walk(folder: Path) -> Iterator[Path]:
    """Yields what is in and below a folder in an order of names; hidden folders are skipped."""
    for place, below, files in os.walk(folder):
        below[:] = sorted(name for name in below if not name.startswith("."))
        yield from (Path(place, file) for file in sorted(files))


def printable(name: str) -> str:
    """A name that fits on a line: what is not UTF-8, and control characters, are spelt out."""
    text = name.encode("utf-8", "backslashreplace").decode()
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
