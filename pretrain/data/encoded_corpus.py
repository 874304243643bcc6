"""The corpus as token ids in memory-mapped files, so memory does not grow with the corpus."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import pyarrow as pa

from ir_pipeline import open_corpus
from oscar.encoded import EncodedFunction, Entries
from oscar.limits import Cuts

COUNTS = "counts.json"
PARTS = "part-{:05}.arrow"
ARRAYS = ("groups", "classes", "sizes", "batches")
STREAMS = ("instruction", "environment")
"""Columns of the parts: the ids of a view one after the other, and how many each entry has."""


@dataclass(slots=True)
class Counts:
    """What became of the corpus's rows.

    Attributes:
        rows: Views kept.
        groups: Functions kept.
        classes: Different functions among them.
        short: Views dropped for having fewer instructions than asked for.
        views_cut: Views kept of which the model reads only the first instructions.
        instructions_cut: Instructions it does not read of these.
        tokens_cut: Tokens it does not read of the instructions left, both streams together.
    """

    rows: int = 0
    groups: int = 0
    classes: int = 0
    short: int = 0
    views_cut: int = 0
    instructions_cut: int = 0
    tokens_cut: int = 0

    def keep(self, cuts: Cuts) -> None:
        """Counts a view that is kept but for these cuts."""
        self.rows += 1
        self.views_cut += cuts.functions
        self.instructions_cut += cuts.instructions
        self.tokens_cut += cuts.tokens

    def __add__(self, other: Counts) -> Counts:
        names = [field.name for field in fields(self)]
        return Counts(*(getattr(self, name) + getattr(other, name) for name in names))


def corpus_id(corpus: Path) -> str:
    """A hash of the corpus's content: equal for equal shards, wherever they lie.

    Raises:
        OscarError: The folder is missing or no corpus of this format.
    """
    shards = open_corpus(corpus).manifest["shards"]
    return hashlib.sha256(json.dumps(shards, sort_keys=True).encode()).hexdigest()


class EncodedCorpus:
    """Encoded views, read one at a time from a folder that `encode_corpus` wrote.

    Nothing of it is in memory but the pages last read, which all processes of a machine share.

    Args:
        folder: The folder.

    Attributes:
        folder: The folder.
        counts: What became of the corpus's rows.
        groups: Group number of every row (rows,), 0 to `counts.groups` - 1.
        classes: Class number of every row (rows,), equal for groups of the same content.
        sizes: Tokens of every row (rows,), both streams together.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.counts = Counts(**json.loads((folder / COUNTS).read_text(encoding="utf-8")))
        arrays = (np.load(folder / f"{name}.npy", mmap_mode="r") for name in ARRAYS)
        self.groups, self.classes, self.sizes, self._batches = arrays
        parts = len(list(folder.glob(PARTS.replace("{:05}", "*"))))
        paths = [folder / PARTS.format(part) for part in range(parts)]
        self._parts = [pa.ipc.open_file(pa.memory_map(str(path))) for path in paths]

    def __len__(self) -> int:
        return self.counts.rows

    def __getitem__(self, row: int) -> EncodedFunction:
        first, part, number = self._batches[self._batches[:, 0].searchsorted(row, "right") - 1]
        batch = self._parts[part].get_batch(int(number)).slice(row - int(first), 1)
        columns = {name: batch.column(name)[0].values.to_numpy() for name in batch.schema.names}
        instruction, environment = (
            Entries(columns[f"{stream}_ids"], columns[f"{stream}_lengths"]) for stream in STREAMS
        )
        return EncodedFunction(instruction, environment, columns["positions"].reshape(-1, 3))

    def __reduce__(self) -> tuple[type[EncodedCorpus], tuple[Path]]:
        """Another process opens the files itself."""
        return EncodedCorpus, (self.folder,)
