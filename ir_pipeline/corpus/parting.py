"""Says which part of a corpus, training, validation or test, each of its functions belongs to.

That depends on the name of its project, unit or label and on the seed alone, so that what is added
to a corpus later moves nothing that was in it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from ir_pipeline.corpus.duplicates import Item, columns_for, items
from ir_pipeline.corpus.reader import Corpus
from static_analysis.errors import OscarError

KEYS = {"project": ("project",), "unit": ("project", "unit"), "label": ("label",)}
_PARTS = {2: ("train", "test"), 3: ("train", "validation", "test")}


@dataclass(frozen=True)
class Rule:
    """How a corpus is parted.

    Attributes:
        by: what stays together: `project`, `unit` or `label`.
        fractions: shares of two or three parts, of any sum.
        seed: chooses another parting.
        without_clones: whether a part lacks what an earlier one has a copy of: the same tokens,
            or the same structure.

    Raises:
        OscarError: there is no such rule.
    """

    by: str
    fractions: tuple[float, ...]
    seed: int
    without_clones: bool

    def __post_init__(self) -> None:
        """Checks the values."""
        if self.by not in KEYS:
            raise OscarError(f"--by {self.by}: choose one of {', '.join(KEYS)}")
        fine = all(0 < share < float("inf") for share in self.fractions)
        if len(self.fractions) not in _PARTS or not fine:
            raise OscarError("--fractions: name two or three shares above 0, such as 80 10 10")

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of the parts."""
        return _PARTS[len(self.fractions)]

    def part(self, row: dict[str, Any]) -> int:
        """The number of the part that a row belongs to.

        Args:
            row: with `project`, `unit` and `label`.

        Raises:
            OscarError: it has no label to go by.
        """
        key: Sequence[str | None] = [row[name] for name in KEYS[self.by]]
        if None in key:
            raise OscarError(f"{row['unit']} has no label: part by project or unit instead")
        text = "\0".join([str(self.seed), self.by, *map(str, key)])
        digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).digest()
        place = int.from_bytes(digest[:8]) / 2**64 * sum(self.fractions)
        return sum(place >= end for end in list(accumulate(self.fractions))[:-1])

    def as_json(self) -> dict[str, Any]:
        """For the manifest of a part."""
        return {**vars(self), "fractions": list(self.fractions)}


@dataclass
class Parting:
    """What goes where, by the number of the part.

    Attributes:
        units: how many each part gets.
        functions: how many each part gets.
        clones: how many functions or programs of each part an earlier one has too.
        left_out: groups of the functions that a part lacks for that.
    """

    units: Counter[int] = field(default_factory=Counter)
    functions: Counter[int] = field(default_factory=Counter)
    clones: Counter[int] = field(default_factory=Counter)
    left_out: set[str] = field(default_factory=set)


def part_items(corpus: Corpus, rule: Rule) -> Parting:
    """Says what goes where, from a few columns of all rows.

    Some 400 bytes are held in memory for each function.
    """
    owner: dict[bytes, int] = {}
    for part, item in _items(corpus, rule):
        for key in (item.exact, item.structural):
            owner[key] = min(part, owner.get(key, part))
    parting = Parting()
    last = None
    for part, item in _items(corpus, rule):
        is_clone = min(owner[item.exact], owner[item.structural]) < part
        parting.clones[part] += is_clone
        if is_clone and rule.without_clones:
            parting.left_out.update(item.groups)
            continue
        unit = (item.project, item.unit)
        parting.functions[part] += len(item.groups)
        parting.units[part] += unit != last
        last = unit
    return parting


def _items(corpus: Corpus, rule: Rule) -> Iterator[tuple[int, Item]]:
    """Each function or labelled program with its part."""
    for item in items(corpus.batches(columns_for("structural"))):
        yield rule.part(vars(item)), item
