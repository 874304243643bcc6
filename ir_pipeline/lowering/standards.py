"""Which language standard a unit is really compiled as."""

from __future__ import annotations

import os
import re
from functools import lru_cache

from ir_pipeline.lowering.toolchain import Toolchain, said_by
from ir_pipeline.sources.units import Unit

_VERSION = re.compile(r"#define (?:__STDC_VERSION__|__cplusplus) (\d{4})\d\dL")
_FLAG = re.compile(r"-std=(.+)|-ansi")
_ANSI = {"c": "c89", "c++": "c++98"}
_STRICT = "#define __STRICT_ANSI__"
# The year that a compiler's macro says, to the standard's usual name; old C says nothing.
_C = {"1994": "90", "1999": "99", "2011": "11", "2017": "17", "2023": "23"}
_CXX = {"1997": "98", "2011": "11", "2014": "14", "2017": "17", "2020": "20", "2023": "23"}
_OLD_NAMES = {
    **{"c++0x": "c++11", "c++1y": "c++14", "c++1z": "c++17", "c++2a": "c++20", "c++2b": "c++23"},
    **{"c++2c": "c++26", "c++03": "c++98", "c90": "c89", "c9x": "c99", "c1x": "c11", "c18": "c17"},
    **{"c2x": "c23", "iso9899:1990": "c89", "iso9899:1999": "c99", "iso9899:2011": "c11"},
    **{"iso9899:2017": "c17", "iso9899:2018": "c17"},
}


def standard_of(unit: Unit, asked: str | None, toolchain: Toolchain) -> str:
    """The standard of a C or C++ file: what the user asked for, its build, or the compiler's own.

    Args:
        unit: the file, with the flags of its build.
        asked: the user's `--std` where it is one of the unit's language.
        toolchain: whose own standard holds where nobody names one.
    """
    named = [found[1] for flag in unit.flags if (found := _FLAG.fullmatch(flag))]
    if asked:
        return usual_name(asked)
    if named:
        return usual_name(named[-1] or _ANSI[unit.language])
    return default_standard(toolchain, unit.language)


def usual_name(standard: str) -> str:
    """`c++0x` is `c++11`, `gnu9x` is `gnu99`; other names stay as they are."""
    if standard.startswith("gnu"):
        return _OLD_NAMES.get(f"c{standard[3:]}", f"c{standard[3:]}").replace("c", "gnu", 1)
    return _OLD_NAMES.get(standard, standard)


@lru_cache
def default_standard(toolchain: Toolchain, language: str) -> str:
    """The standard of a compiler that is told none, by the macros that it defines."""
    driver = toolchain.cxx if language == "c++" else toolchain.c
    macros = said_by((*driver, "-dM", "-E", "-x", language, os.devnull))
    found = _VERSION.search(macros)
    year = found[1] if found else ""
    family = "c" if _STRICT in macros else "gnu"
    if language == "c++":
        return f"{family}++{_CXX.get(year, year)}"
    return f"{family}{_C.get(year, '89')}"
