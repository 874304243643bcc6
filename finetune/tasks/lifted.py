"""Modules that a lifter made of binaries, and which of their functions are one and the same."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path

from finetune.tasks.binary_diffing import Build, read_build
from static_analysis import OscarError

_ADDRESS = re.compile(
    r"(?:local_|unknown_)?(?:function|func?|fcn|sub|loc|0x|(?<=_))[._]?(?:0x)?"
    r"(?=[a-f]*\d)[\da-f]{4,}(?:[_:]code_\w+)?",
    re.IGNORECASE,
)
"""Names such as RetDec's `function_401000`, rev.ng's `local_0x401000_Code_x86_64`, `sub_401000`."""


def lifted_builds(
    first: Sequence[Path], second: Sequence[Path], names: Mapping[str, str] | None = None
) -> tuple[Build, Build]:
    """Two programs as they were lifted, each of one or more modules.

    A name that several functions of a program have tells none of them from the others, and one that
    the lifter made of an address says nothing of another program; such functions are in the pool,
    but not known.

    Args:
        first: `.ll` or `.bc` files of one program, read as they are.
        second: those of the other.
        names: from a function's name in the first to its name in the second; None: they are equal.

    Raises:
        OscarError: a file cannot be read, or no function of one program is known in the other.
    """
    here, there = (read_build(paths, "O0") for paths in (first, second))
    called, known = ([function.function for function in build] for build in (here, there))
    if names is None:
        keys = [_unique([_own(name) for name in called]), _unique([_own(name) for name in known])]
    else:
        keys = [_unique([names.get(name) for name in called]), _unique(known)]
    if not {*keys[0]} & {*keys[1]} - {None}:
        reason = (
            "no function has the same name, those made of addresses not counted,"
            if names is None
            else "no pair of --names is"
        )
        raise OscarError(
            f"{reason} in {_listed(first)} and in {_listed(second)}: give --names a file of pairs, "
            "the name in the first and that in the second"
        )
    return Build(here, keys[0]), Build(there, keys[1])


def read_names(path: Path) -> dict[str, str]:
    """Names of functions in one program, and what the same functions are called in another.

    Args:
        path: JSON, an object of names; or CSV, two columns without a heading.

    Raises:
        OscarError: it is neither, or has two lines for one function.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            if path.suffix.lower() == ".json":
                pairs = [list(pair) for pair in json.load(file, object_pairs_hook=list)]
            else:
                pairs = [[cell.strip() for cell in line] for line in csv.reader(file) if line]
    except (OSError, ValueError, TypeError, csv.Error) as error:
        raise OscarError(f"{path} cannot be read as pairs of names: {error}") from None
    wrong = next((p for p in pairs if len(p) != 2 or not all(isinstance(n, str) for n in p)), None)
    if wrong is not None:
        raise OscarError(
            f"{path}: {wrong} is no pair of names, that in the first and in the second"
        )
    for side, counts in enumerate(Counter(pair[side] for pair in pairs) for side in (0, 1)):
        name, count = next(iter(counts.most_common(1)), ("", 0))
        if count > 1:
            raise OscarError(f"{path}: {name!r} stands {count} times in column {side + 1}")
    return dict(pairs)


def _own(name: str) -> str | None:
    """The name, unless the lifter made it of an address."""
    return None if _ADDRESS.fullmatch(name) else name


def _unique(names: Sequence[str | None]) -> list[Hashable]:
    counts = Counter(names)
    return [name if counts[name] == 1 else None for name in names]


def _listed(paths: Sequence[Path]) -> str:
    return ", ".join(map(str, paths))
