"""Functions of other projects that are nearly the same: a copy with some lines changed.

By MinHash (Broder 1997) over runs of three instructions in which variables, blocks and names are
blank, with locality-sensitive hashing, both of the library `datasketch`.
"""

from __future__ import annotations

import re
from typing import Any

from static_analysis.errors import OscarError

SIMILARITY = 0.85
"""Share of runs in common from which two functions are near duplicates (an estimate)."""
_FEWEST_RUNS = 16
_RUN = 3
_PERMUTATIONS = 128
_BLANK = re.compile(r"(?<![^ ])(?:[vlm]\d+|(?:[@%][^ ]+ )+</\w+>)(?![^ ])")


class NearDuplicates:
    """Remembers functions, and says whether another project had one like it."""

    def __init__(self) -> None:
        """Starts with none.

        Raises:
            OscarError: the library is not there.
        """
        try:
            import datasketch
        except ImportError:
            raise OscarError(
                "--dedup near needs the library datasketch: pip install 'oscar-ir[dedup]'"
            ) from None
        self._library: Any = datasketch
        self._index = datasketch.MinHashLSH(threshold=SIMILARITY, num_perm=_PERMUTATIONS)
        self._known: list[tuple[str, Any]] = []

    def seen(self, project: str, tokens: list[list[str]]) -> bool:
        """Whether another project had such a function before; if not, it is remembered.

        Functions of fewer than 16 different runs of instructions are too small to be told apart,
        and never are near duplicates.
        """
        shape = runs(tokens)
        if len(shape) < _FEWEST_RUNS:
            return False
        sketch = self._library.MinHash(num_perm=_PERMUTATIONS, seed=1)
        sketch.update_batch([run.encode() for run in sorted(shape)])
        for number in self._index.query(sketch):
            other, known = self._known[number]
            if other != project and sketch.jaccard(known) >= SIMILARITY:
                return True
        self._index.insert(len(self._known), sketch)
        self._known.append((project, self._library.LeanMinHash(sketch)))
        return False


def runs(tokens: list[list[str]]) -> set[str]:
    """The different runs of three instructions of a function, with names left blank."""
    lines = [_BLANK.sub("_", " ".join(instruction)) for instruction in tokens]
    return {"\n".join(lines[at : at + _RUN]) for at in range(len(lines) - _RUN + 1)}
