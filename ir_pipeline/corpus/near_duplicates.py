"""Functions of other projects that are nearly the same: a copy with some lines changed.

What may be alike is found by MinHash (Broder 1997) with locality-sensitive hashing, by the library
`datasketch`; whether it is, is decided by the runs of three instructions that both really have.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

from static_analysis.errors import OscarError

if TYPE_CHECKING:
    import numpy as np

SIMILARITY = 0.85
"""Share of runs in common (Jaccard) from which two functions are near duplicates."""
_FEWEST_RUNS = 16
_RUN = 3
_PERMUTATIONS = 64
# Ten tables of six values find 99 % of the pairs at the threshold.
_TABLES = (10, 6)
_BLANK = re.compile(r"(?<![^ ])(?:[vlm]\d+|(?:[@%][^ ]+ )+</\w+>)(?![^ ])")


class NearDuplicates:
    """Remembers functions, and says whether another project had one like it."""

    def __init__(self) -> None:
        """Starts with none.

        Raises:
            OscarError: the library is not there.
        """
        try:
            from datasketch import MinHash, MinHashLSH
        except ImportError:
            raise OscarError(
                "--dedup near needs the library datasketch: pip install 'oscar-ir[dedup]'"
            ) from None
        self._index: Any = MinHashLSH(num_perm=_PERMUTATIONS, params=_TABLES)
        self._blank: Any = MinHash(num_perm=_PERMUTATIONS, seed=1, hashfunc=_low_bits)
        self._known: list[tuple[str, np.ndarray]] = []

    def seen(self, project: str, tokens: list[list[str]]) -> bool:
        """Whether another project had such a function before; if not, it is remembered.

        Functions of fewer than 16 different runs of instructions are too small to be told apart,
        and never are near duplicates.
        """
        found = _hashes(runs(tokens))
        if len(found) < _FEWEST_RUNS:
            return False
        sketch = self._blank.copy()
        sketch.update_batch(found.tolist())
        for number in self._index.query(sketch):
            other, known = self._known[number]
            if other != project and _jaccard(known, found) >= SIMILARITY:
                return True
        self._index.insert(len(self._known), sketch)
        self._known.append((project, found))
        return False


def runs(tokens: list[list[str]]) -> set[str]:
    """The different runs of three instructions of a function, with names left blank."""
    lines = [_BLANK.sub("_", " ".join(instruction)) for instruction in tokens]
    return {"\n".join(lines[at : at + _RUN]) for at in range(len(lines) - _RUN + 1)}


def _hashes(texts: set[str]) -> np.ndarray:
    import numpy as np

    digests = [hashlib.blake2b(text.encode(), digest_size=8).digest() for text in texts]
    return np.unique(np.frombuffer(b"".join(digests), dtype="<u8"))


def _low_bits(number: int) -> int:
    return number & 0xFFFFFFFF


def _jaccard(one: np.ndarray, other: np.ndarray) -> float:
    import numpy as np

    common = len(np.intersect1d(one, other, assume_unique=True))
    return common / (len(one) + len(other) - common)
