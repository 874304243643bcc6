"""Takes from a compiler's command line what says how to read the source, and nothing else.

A project's own build decides these words, and nobody has looked at them: plugins, response files,
configuration files and all that runs a program or writes a file must not get through. So there is
a list of what is kept; the rest is dropped.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ir_pipeline.sources.units import language_of

SYSTEM = (Path("/usr/include"), Path("/usr/local/include"), Path("/usr/lib"))
"""Where the system's headers are: builds name folders below them."""

_FOLDERS = ("-isystem", "-iquote", "-idirafter", "-I")
_FILES = ("-include", "-imacros")
_MACROS = ("-D", "-U")
_PLAIN = re.compile(
    r"-std=(?:c|gnu)(?:\+\+)?\w+|-ansi|-pthread|-undef|-nostdinc\+\+"
    r"|-f(?:no-)?(?:signed-char|unsigned-char|short-enums|short-wchar|exceptions|rtti|builtin"
    r"|strict-aliasing|wrapv|trapv|math-errno|fast-math|finite-math-only|gnu89-inline|hosted"
    r"|ms-extensions|blocks|char8_t|access-control|threadsafe-statics|common|strict-overflow)"
    r"|-ffreestanding|-f(?:no-)?builtin-[a-z]\w*|-fvisibility=\w+|-ftemplate-depth=\d+"
    r"|-m(?:no-)?(?:mmx|sse[\d.]*a?|ssse3|avx\w*|aes|pclmul|bmi2?|fma4?|f16c|popcnt|lzcnt|sha"
    r"|vaes|vpclmulqdq|gfni|rdrnd|rdseed|adx|crc32|movbe|cx16|xop|tbm)"
)
# Words that take the next one with them: it is no source, whatever it looks like.
_TAKE_ONE = {
    *("-o", "-MF", "-MT", "-MQ", "-Xclang", "-Xlinker", "-Xassembler", "-Xpreprocessor"),
    *("-L", "-l", "-T", "-u", "-z", "-e", "-B", "-arch", "-target", "--param", "-aux-info"),
    *("-mllvm", "-G", "-specs", "--config", "-wrapper", "-iprefix", "-iwithprefix", "--sysroot"),
    *("-isysroot", "-imultilib", "-dumpbase", "-framework", "-rpath", "-soname", "-h"),
}
_NO_OBJECT = {"-E", "-M", "-MM", "-fsyntax-only", "-###", "--version", "--help", "-dumpversion"}


@dataclass(frozen=True)
class CompilerRun:
    """What is kept of a command line.

    Attributes:
        sources: the C and C++ files it names, as it names them.
        flags: what is kept of the rest; folders below `root` are relative to it.
        language: what `-x` asks for, or None.
        compiles: whether it makes an object or a program, and doesn't just print something.
    """

    sources: tuple[str, ...]
    flags: tuple[str, ...]
    language: str | None
    compiles: bool


def read_command(arguments: Sequence[str], folder: Path, places: Sequence[Path]) -> CompilerRun:
    """What a command line (without the compiler's name) says about its sources.

    Args:
        arguments: its words.
        folder: where it ran.
        places: folders that may be included from, the root of the project first. Include folders
            elsewhere are dropped, the system's excepted.
    """
    words = list(arguments)[::-1]
    sources, flags, language = [], [], None
    while words:
        word = words.pop()
        name, value = _parted(word, words)
        if name in _FOLDERS or name in _FILES:
            path = inside(value, folder, places)
            flags += [name, path] if path is not None else []
        elif name in _MACROS:
            # libtool compiles each file twice, once with this one.
            flags += [] if value == "PIC" else [f"{name}{value}"]
        elif name == "-x":
            language = value if value in ("c", "c++") else language
        elif _PLAIN.fullmatch(word):
            flags.append(word)
        elif word in _TAKE_ONE:
            words = words[:-1]
        elif not word.startswith(("-", "@")) and language_of(Path(word)) in ("c", "c++"):
            sources.append(word)
    compiles = _NO_OBJECT.isdisjoint(arguments)
    return CompilerRun(tuple(sources), tuple(flags), language, compiles)


def _parted(word: str, rest: list[str]) -> tuple[str, str]:
    """The name and value of an option, written as one word or two."""
    for name in (*_FOLDERS, *_FILES, *_MACROS, "-x"):
        if word == name:
            return name, rest.pop() if rest else ""
        # `-include` and `-imacros` take the next word only.
        if word.startswith(name) and name not in _FILES:
            return name, word[len(name) :]
    return word, ""


def inside(path: str, folder: Path, places: Sequence[Path]) -> str | None:
    """A path of a command that ran in `folder`, for one that runs in `places[0]`.

    Returns:
        It relative to `places[0]` if it is below that, absolute if it is below another of
        `places` or the system's; None if it is anywhere else.
    """
    absolute = Path(os.path.realpath(folder / path))
    if absolute.is_relative_to(places[0]):
        return f"./{absolute.relative_to(places[0]).as_posix()}"
    allowed = (*places[1:], *SYSTEM)
    return str(absolute) if any(absolute.is_relative_to(place) for place in allowed) else None
