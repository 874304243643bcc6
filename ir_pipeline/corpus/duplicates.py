"""Finds what a corpus holds twice. Of copies, the first in the corpus's order stays.

What stays or goes as a whole is a function with all its views; of a labelled collection it is a
whole program, because a program without one of its functions would be another program.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from ir_pipeline.corpus.near_duplicates import NearDuplicates
from static_analysis.errors import OscarError

if TYPE_CHECKING:
    import pyarrow as pa

LEVELS = ("none", "exact", "structural", "near")
_COLUMNS = ("project", "unit", "group", "label", "hash", "structure")
_REASONS = {"exact": "exact duplicate", "structural": "structural duplicate"}


@dataclass(frozen=True)
class Item:
    """A function, or a labelled program, by what its first views are.

    Attributes:
        project: what it belongs to.
        unit: its unit's name.
        label: class of a labelled program; None for a function.
        groups: of its functions.
        exact: equal for items with the same tokens.
        structural: equal for items with the same structure.
        tokens: of a function's first view; empty where they were not read.
    """

    project: str
    unit: str
    label: str | None
    groups: tuple[str, ...]
    exact: bytes
    structural: bytes
    tokens: list[list[str]]


@dataclass
class Duplicates:
    """The functions of a corpus that are left out.

    Attributes:
        groups: theirs.
        reasons: how many functions, or programs, for which reason.
    """

    groups: set[str] = field(default_factory=set)
    reasons: Counter[str] = field(default_factory=Counter)

    def without(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """The rows of a batch that stay."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if not self.groups:
            return batch
        mask = [group not in self.groups for group in batch.column("group").to_pylist()]
        return pc.filter(batch, pa.array(mask, pa.bool_()))


def check_level(level: str) -> None:
    """Makes sure that `level` is one, and that its library is there.

    Raises:
        OscarError: it is not.
    """
    if level not in LEVELS:
        raise OscarError(f"--dedup {level}: choose one of {', '.join(LEVELS)}")
    if level == "near":
        NearDuplicates()


def columns_for(level: str) -> list[str]:
    """The columns that `find_duplicates` reads."""
    return [*_COLUMNS, "tokens"] if level == "near" else list(_COLUMNS)


def find_duplicates(batches: Iterable[pa.RecordBatch], level: str) -> Duplicates:
    """Finds the copies among the rows of a corpus.

    Memory grows with the number of functions, some 200 bytes each (some 5 kB for `near`).

    Args:
        batches: all rows in the corpus's order, with the columns of `columns_for`.
        level: `exact`, `structural` (exact ones too), or `near` (those two, and functions that
            are alike in different projects).
    """
    found = Duplicates()
    seen: dict[str, set[bytes]] = {"exact": set(), "structural": set()}
    near = NearDuplicates() if level == "near" else None
    for item in items(batches):
        keys = {"exact": item.exact}
        if level != "exact":
            keys["structural"] = item.structural
        reason = next((_REASONS[name] for name, key in keys.items() if key in seen[name]), None)
        if reason is None and near is not None and item.label is None:
            reason = "near duplicate" if near.seen(item.project, item.tokens) else None
        if reason is None:
            for name, key in keys.items():
                seen[name].add(key)
        else:
            found.groups.update(item.groups)
            found.reasons[reason if item.label is None else "duplicate program"] += 1
    return found


def items(batches: Iterable[pa.RecordBatch]) -> Iterator[Item]:
    """The items of a corpus, from rows with the columns of `columns_for`."""
    for _, unit in groupby(_first_views(batches), key=itemgetter("project", "unit")):
        functions = list(unit)
        if functions[0]["label"] is None:
            yield from (_item([function]) for function in functions)
        else:
            yield _item(functions)


def _first_views(batches: Iterable[pa.RecordBatch]) -> Iterator[dict[str, Any]]:
    last = None
    for batch in batches:
        for row in batch.to_pylist():
            if row["group"] != last:
                last = row["group"]
                yield row


def _item(functions: list[dict[str, Any]]) -> Item:
    first = functions[0]
    kind = "function" if first["label"] is None else "program"
    return Item(
        project=first["project"],
        unit=first["unit"],
        label=first["label"],
        groups=tuple(function["group"] for function in functions),
        exact=_digest([function["hash"] for function in functions], kind),
        structural=_digest([function["structure"] for function in functions], kind),
        tokens=first.get("tokens", []),
    )


def _digest(hashes: list[str], kind: str) -> bytes:
    """A key of an item; hashes of tokens and of structures are of different lengths."""
    return hashlib.sha256(" ".join([kind, *hashes]).encode()).digest()[:16]
