"""Which views there are and how a user asks for them; this module needs no LLVM."""

from __future__ import annotations

import re
from collections.abc import Sequence

from static_analysis.errors import OscarError

LEVELS = ("O1", "O2", "O3")
RANDOM, EXTERNAL = "random-", "opt-"
_NAME = re.compile(r"O[0-3]|random-\d+|opt-\d+")

CORPUS_VIEWS = ("O0", *LEVELS, "random-0", "random-1", "random-2", "random-3")
AS_LOWERED = ("O0",)


def view_names(asked: int | str | Sequence[str], *, with_opt: bool = False) -> tuple[str, ...]:
    """Names of the views asked for.

    Args:
        asked: how many of O0, O1, O2, O3, random-0, random-1, …; or their names, also joined by
            commas.
        with_opt: whether there is an `opt`: every second random view of a number is then one of
            its, opt-0 after random-0, and so on.

    Raises:
        OscarError: there is no such view, none is asked for, or one needs an `opt`.
    """
    words = [asked] if isinstance(asked, int | str) else list(asked)
    names = [name for word in words for name in str(word).split(",") if name]
    if len(names) == 1 and names[0].isdigit():
        names = _first(int(names[0]), (RANDOM, EXTERNAL) if with_opt else (RANDOM,))
    wrong = [name for name in names if not _NAME.fullmatch(name)]
    if wrong or not names:
        what = f"no view {wrong[0]!r}" if wrong else "no views"
        raise OscarError(
            f"{what}: ask for a number, or for names among O0, O1, O2, O3, random-N, opt-N"
        )
    if not with_opt and (external := [name for name in names if name.startswith(EXTERNAL)]):
        raise OscarError(f"view {external[0]} is made by LLVM's opt: name one with --opt")
    return tuple(dict.fromkeys(names))


def _first(count: int, kinds: Sequence[str]) -> list[str]:
    """The first `count` views, where random ones of these kinds take turns."""
    more = (f"{kinds[i % len(kinds)]}{i // len(kinds)}" for i in range(count - 4))
    return ["O0", *LEVELS, *more][:count]
