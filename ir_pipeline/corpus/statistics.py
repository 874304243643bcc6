"""Counts what a corpus holds: lengths, opcodes, views, where it comes from, what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ir_pipeline.corpus.reader import Corpus

if TYPE_CHECKING:
    import pyarrow as pa

KINDS = ("project", "language", "standard", "license", "label")
"""Columns that are counted by their values, one count a function."""
QUANTILES = (0.0, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0)
_FIRST = (*KINDS, "hash", "structure", "source", "doc")
_COLUMNS = ("group", "view", "n_instructions", "tokens", *_FIRST)


@dataclass
class Statistics:
    """What a corpus holds.

    Attributes:
        counts: the manifest's.
        lengths: how many rows have how many instructions.
        views: how many rows there are of each view.
        opcodes: how many instructions of all rows have which opcode.
        kinds: for each of `KINDS`, how many functions have which value.
        exact_copies: functions with the tokens of an earlier one, in their first view.
        structural_copies: functions with the tokens or the structure of an earlier one.
        with_source: functions whose text was found.
        with_doc: functions with a doc comment.
    """

    counts: dict[str, Any]
    lengths: Counter[int] = field(default_factory=Counter)
    views: Counter[str] = field(default_factory=Counter)
    opcodes: Counter[str] = field(default_factory=Counter)
    kinds: dict[str, Counter[str]] = field(default_factory=lambda: {k: Counter() for k in KINDS})
    exact_copies: int = 0
    structural_copies: int = 0
    with_source: int = 0
    with_doc: int = 0

    def quantiles(self) -> dict[str, int]:
        """Lengths of rows in instructions: `min`, `25 %`, … `max`."""
        names = ["min", *(f"{q * 100:g} %" for q in QUANTILES[1:-1]), "max"]
        values = sorted(self.lengths.items())
        total = sum(self.lengths.values())
        return {n: _reached(values, q * (total - 1)) for n, q in zip(names, QUANTILES, strict=True)}

    def as_json(self) -> dict[str, Any]:
        """Everything, for machines; most frequent first."""
        return {
            "counts": self.counts,
            "lengths": self.quantiles(),
            "length_histogram": {str(n): rows for n, rows in sorted(self.lengths.items())},
            "views": dict(self.views.most_common()),
            "opcodes": dict(self.opcodes.most_common()),
            **{f"{kind}s": dict(found.most_common()) for kind, found in self.kinds.items()},
            "exact_copies": self.exact_copies,
            "structural_copies": self.structural_copies,
            "with_source": self.with_source,
            "with_doc": self.with_doc,
        }


def statistics(corpus: Corpus, progress: Callable[[int, int], None] | None = None) -> Statistics:
    """Counts all rows of a corpus; two short hashes of each function are held in memory.

    Args:
        corpus: opened.
        progress: called with the numbers of rows counted and of all.
    """
    found = Statistics(corpus.manifest["counts"])
    seen: tuple[set[int], set[int]] = (set(), set())
    group = None
    for batch in corpus.batches(_COLUMNS):
        found.lengths.update(batch.column("n_instructions").to_pylist())
        found.views.update(batch.column("view").to_pylist())
        found.opcodes.update(opcodes(batch.column("tokens")))
        groups = batch.column("group").to_pylist()
        first = [at for at, each in enumerate(groups) if each != (groups[at - 1] if at else group)]
        group = groups[-1] if groups else group
        for row in batch.select(_FIRST).take(first).to_pylist():
            _count_function(found, row, seen)
        if progress is not None:
            progress(sum(found.views.values()), found.counts["rows"])
    return found


def _count_function(
    found: Statistics, row: dict[str, Any], seen: tuple[set[int], set[int]]
) -> None:
    for kind in KINDS:
        found.kinds[kind][row[kind] or "none"] += 1
    exact, structural = int(row["hash"][:16], 16), int(row["structure"][:16], 16)
    found.structural_copies += exact in seen[0] or structural in seen[1]
    found.exact_copies += exact in seen[0]
    seen[0].add(exact)
    seen[1].add(structural)
    found.with_source += row["source"] is not None
    found.with_doc += row["doc"] is not None


def opcodes(tokens: pa.Array) -> Counter[str]:
    """Opcodes of all instructions of some streams, as `static_analysis.opcode` tells them."""
    import numpy as np
    import pyarrow.compute as pc

    instructions = tokens.flatten()
    lengths = np.asarray(instructions.value_lengths(), dtype=np.int64)
    words = instructions.flatten()
    if not len(words):
        return Counter()
    starts = (np.cumsum(lengths) - lengths)[lengths > 0]
    second = np.minimum(starts + 1, len(words) - 1)
    has_value = np.asarray(pc.equal(words.take(second), "=")) & (lengths[lengths > 0] > 2)
    found = pc.value_counts(words.take(starts + 2 * has_value)).to_pylist()
    return Counter({each["values"]: each["counts"] for each in found})


def _reached(values: list[tuple[int, int]], rank: float) -> int:
    """The value at a rank of sorted values with their frequencies; 0 where there are none."""
    below = 0
    for value, number in values:
        below += number
        if below > rank:
            return value
    return 0
