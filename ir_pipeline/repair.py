"""Makes program fragments compile: programs that lost their includes, constants or manners.

Collections of student programs such as POJ-104 hold programs without `#include` lines, written
for compilers of the 1990s. Each fragment is tried in a few ways; the first that compiles counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_VOID_MAIN = re.compile(r"\bvoid(\s+)main(\s*)\(")
_BARE_MAIN = re.compile(r"^([ \t]*)main(\s*)\(", re.MULTILINE)
_UNDECLARED = re.compile(r"error: use of undeclared identifier '([A-Za-z_]\w*)'")

# Any number does that is large enough for the arrays and loops of a small program.
_CONSTANT = 1000


@dataclass(frozen=True)
class Attempt:
    """One way to compile a fragment.

    Attributes:
        code: the program without its prelude.
        language: `c` or `c++`.
        std: value of `-std`.
        repairs: what was changed, in words made for counting.
        constants: names that the fragment uses and nobody defines.
    """

    code: str
    language: str
    std: str
    repairs: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The whole program: prelude, missing constants, code."""
        lines = ["#include <bits/stdc++.h>"]
        if self.language == "c++":
            lines.append("using namespace std;")
        lines += [f"#define {name} {_CONSTANT}" for name in self.constants]
        return "\n".join([*lines, "#line 1", self.code])


def first_attempt(code: str, std: str | None = None) -> Attempt:
    """C++98, or `std`, with `main` returning int."""
    repaired, void = _VOID_MAIN.subn(r"int\1main\2(", code)
    repaired, bare = _BARE_MAIN.subn(r"\1int main\2(", repaired)
    repairs = (["void main"] if void else []) + (["bare main"] if bare else [])
    std = std or "c++98"
    return Attempt(repaired, "c++" if "++" in std else "c", std, tuple(repairs))


def further_attempts(first: Attempt, diagnostics: str, *, any_std: bool) -> list[Attempt]:
    """What to try when `first` failed with `diagnostics`, best first.

    Args:
        first: the attempt that failed.
        diagnostics: what the compiler said about it.
        any_std: whether other standards and languages may be tried.
    """
    attempts = []
    missing = tuple(sorted(set(_UNDECLARED.findall(diagnostics))))
    if missing:
        repairs = (*first.repairs, "undefined constant")
        attempts.append(replace(first, constants=missing, repairs=repairs))
    if any_std:
        as_c = (*first.repairs, "compiled as C")
        attempts.append(replace(first, language="c", std="gnu89", repairs=as_c))
        newer = (*first.repairs, "compiled as C++17")
        attempts.append(replace(first, std="gnu++17", repairs=newer))
    return attempts
