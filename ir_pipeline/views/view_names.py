"""Which views there are and how a user asks for them; apart from `views.py` it needs no LLVM."""

from __future__ import annotations

import re
from collections.abc import Sequence

from static_analysis.errors import OscarError

LEVELS = ("O1", "O2", "O3")
_NAME = re.compile(r"O[0-3]|random-\d+")

CORPUS_VIEWS = ("O0", *LEVELS, "random-0", "random-1", "random-2", "random-3")
AS_LOWERED = ("O0",)


def view_names(asked: int | str | Sequence[str]) -> tuple[str, ...]:
    """Names of the views asked for.

    Args:
        asked: how many of O0, O1, O2, O3, random-0, random-1, …; or their names, also joined by
            commas.

    Raises:
        OscarError: there is no such view, or none is asked for.
    """
    words = [asked] if isinstance(asked, int | str) else list(asked)
    names = [name for word in words for name in str(word).split(",") if name]
    if len(names) == 1 and names[0].isdigit():
        count = int(names[0])
        names = ["O0", *LEVELS, *(f"random-{i}" for i in range(count - 4))][:count]
    wrong = [name for name in names if not _NAME.fullmatch(name)]
    if wrong or not names:
        what = f"no view {wrong[0]!r}" if wrong else "no views"
        raise OscarError(f"{what}: ask for a number, or for names among O0, O1, O2, O3, random-N")
    return tuple(dict.fromkeys(names))
