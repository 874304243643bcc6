"""Finds a clang and says how to call it."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from static_analysis.errors import OscarError

_VERSION = re.compile(r"clang version (\S+)")
_SEARCH_LIST = re.compile(r"^#include <\.\.\.> search starts here:\n((?: .*\n)*)", re.MULTILINE)

# Old and shortened programs lean on what newer compilers made errors of.
_LENIENT = (
    "-w",
    "-Wno-unknown-warning-option",
    "-Wno-error=return-type",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
    "-Wno-error=narrowing",
    "-Wno-error=parentheses",
    "-Wno-error=reserved-user-defined-literal",
)


@dataclass(frozen=True)
class Toolchain:
    """One clang.

    Attributes:
        c: command that compiles C, without the file.
        cxx: command that compiles C++, without the file.
        version: for people and manifests, such as `clang 22.1.8 (ziglang)`.
        headers: folders with the headers that come with it.
        clang: where the user says that it is; None for the one inside the wheel.
    """

    c: tuple[str, ...]
    cxx: tuple[str, ...]
    version: str
    headers: tuple[Path, ...] = ()
    clang: Path | None = None

    def command(self, language: str, opt: str) -> tuple[str, ...]:
        """The command and flags that turn a file of `language` (`c` or `c++`) into IR.

        Args:
            language: `c` or `c++`.
            opt: `O0` to `O3`. `O0` code can be optimised later: clang would else
                mark every function `optnone`.
        """
        keep_optimisable = ("-Xclang", "-disable-O0-optnone") if opt == "O0" else ()
        driver = self.cxx if language == "c++" else self.c
        return (*driver, f"-{opt}", *keep_optimisable, "-g0", *_LENIENT)


def find_toolchain(clang: Path | None = None) -> Toolchain:
    """The clang at `clang`, or the one inside the `ziglang` wheel.

    Raises:
        OscarError: `clang` is not there or does not say that it is a clang.
    """
    return _of_wheel() if clang is None else _of_path(clang)


def check_std(toolchain: Toolchain, std: str | None) -> None:
    """Makes sure that a language standard is one.

    Raises:
        OscarError: the compiler knows none of this name.
    """
    if std is None:
        return
    language = "c++" if "++" in std else "c"
    driver = toolchain.cxx if language == "c++" else toolchain.c
    said = said_by((*driver, f"-std={std}", "-E", "-x", language, os.devnull))
    if "error:" in said:
        raise OscarError(
            f"--std {std}: {toolchain.version} knows no such standard: name one such as c99, "
            "gnu11, c++98 or c++20"
        )


@lru_cache
def _of_wheel() -> Toolchain:
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        raise OscarError("no compiler: install the ziglang package or name a clang with --clang")
    zig = str(Path(spec.origin).with_name("zig"))
    # Without a target zig compiles for exactly this machine; its debug builds sanitise.
    flags = ("-target", "x86_64-linux-gnu", "-fno-sanitize=undefined")
    version = _clang_version((zig, "cc"))
    name = f"clang {version} (ziglang)"
    return Toolchain((zig, "cc", *flags), (zig, "c++", *flags), name, (Path(zig).parent,))


@lru_cache
def _of_path(clang: Path) -> Toolchain:
    found = shutil.which(str(clang))
    if found is None:
        raise OscarError(f"--clang {clang}: no such program")
    path = str(Path(found).absolute())
    version = _clang_version((path,))
    c, cxx = (path,), (path, "--driver-mode=g++")
    headers = dict.fromkeys([*_search_list(c, "c"), *_search_list(cxx, "c++")])
    return Toolchain(c, cxx, f"clang {version}", tuple(headers), clang)


def _search_list(command: tuple[str, ...], language: str) -> list[Path]:
    """The folders that a compiler looks for headers in."""
    said = said_by((*command, "-E", "-v", "-x", language, os.devnull))
    found = _SEARCH_LIST.search(said)
    return [Path(line.strip()) for line in found[1].splitlines()] if found else []


def _clang_version(command: tuple[str, ...]) -> str:
    said = said_by((*command, "--version"))
    match = _VERSION.search(said)
    if match is None:
        raise OscarError(f"{command[0]} is not a clang: --version does not say 'clang version …'")
    return match.group(1)


def said_by(command: tuple[str, ...]) -> str:
    """All that a command prints; nothing where it cannot be run."""
    try:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace")
