"""The corpus as token ids in one memory-mapped file, so memory does not grow with the corpus."""

from __future__ import annotations

import hashlib
import json
import shutil
from bisect import bisect_right
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ir_pipeline import open_corpus
from oscar.batching import Cuts, collate
from oscar.config import OscarConfig
from oscar.encoded import EncodedFunction
from oscar.tokenizer import OscarTokenizer
from pretrain.classes import function_classes, read_columns

_COLUMNS = [
    "group",
    "tokens",
    "environment",
    "own_positions",
    "true_positions",
    "false_positions",
]
_IDS = pa.list_(pa.list_(pa.int32()))
_SCHEMA = pa.schema(
    {
        "group": pa.int32(),
        "class": pa.int64(),
        "instruction": _IDS,
        "environment": _IDS,
        "positions": pa.list_(pa.list_(pa.int32())),
    }
)
_ROWS, _COUNTS = "rows.arrow", "counts.json"
_FORMAT = 3
"""Goes up when the files change, so that a run resumed by a newer version makes them again."""


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

    def add(self, cuts: Cuts) -> None:
        """Counts a view that is kept but for these cuts."""
        self.rows += 1
        self.views_cut += cuts.functions
        self.instructions_cut += cuts.instructions
        self.tokens_cut += cuts.tokens


def corpus_id(corpus: Path) -> str:
    """A hash of the corpus's content: equal for equal shards, wherever they lie.

    Raises:
        OscarError: The folder is missing or no corpus of this format.
    """
    shards = open_corpus(corpus).manifest["shards"]
    return hashlib.sha256(json.dumps(shards, sort_keys=True).encode()).hexdigest()


class EncodedCorpus:
    """Encoded views, read one at a time from a folder that `encode_corpus` wrote.

    Args:
        folder: The folder.

    Attributes:
        counts: What became of the corpus's rows.
        groups: Group number of every row (rows,), 0 to `counts.groups` - 1.
        classes: Class number of every row (rows,), equal for groups of the same content.
    """

    def __init__(self, folder: Path) -> None:
        self.counts = Counts(**json.loads((folder / _COUNTS).read_text(encoding="utf-8")))
        self._file = pa.ipc.open_file(pa.memory_map(str(folder / _ROWS)))
        batches = [self._file.get_batch(i) for i in range(self._file.num_record_batches)]
        self._starts = [0, *accumulate(len(batch) for batch in batches)]
        self.groups, self.classes = (
            np.concatenate([np.empty(0, np.int64), *(batch[name].to_numpy() for batch in batches)])
            for name in ("group", "class")
        )

    def __len__(self) -> int:
        return self._starts[-1]

    def __getitem__(self, row: int) -> EncodedFunction:
        number = bisect_right(self._starts, row) - 1
        batch = self._file.get_batch(number)
        values = batch.slice(row - self._starts[number], 1).to_pylist()[0]
        positions = [(own, true, false) for own, true, false in values["positions"]]
        return EncodedFunction(values["instruction"], values["environment"], positions)


def encode_corpus(
    corpus: Path, tokenizer: OscarTokenizer, folder: Path, *, shortest: int, shape: OscarConfig
) -> EncodedCorpus:
    """Encodes a corpus, or opens what an earlier call with the same arguments has written.

    Args:
        corpus: The corpus folder.
        tokenizer: The tokenizer of both streams.
        folder: Where to write; the result appears whole or not at all.
        shortest: Views with fewer instructions are dropped, and counted.
        shape: Of the model that is to read the views; what it would not read is cut, and counted.

    Raises:
        OscarError: The folder is missing or no corpus of this format.
    """
    limits = (shortest, shape.max_instructions, shape.max_tokens)
    options = f"{_FORMAT} {corpus_id(corpus)} {tokenizer.hash} {limits}"
    target = folder / hashlib.sha256(options.encode()).hexdigest()[:16]
    if not target.is_dir():
        _write(corpus, tokenizer, target, shortest, shape)
    return EncodedCorpus(target)


def _write(
    corpus: Path, tokenizer: OscarTokenizer, target: Path, shortest: int, shape: OscarConfig
) -> None:
    incoming = target.with_suffix(".incoming")
    shutil.rmtree(incoming, ignore_errors=True)
    incoming.mkdir(parents=True)
    counts = Counts()
    numbers: dict[str, int] = {}
    classes = function_classes(corpus)
    with pa.OSFile(str(incoming / _ROWS), "wb") as sink, pa.ipc.new_file(sink, _SCHEMA) as writer:
        for rows in read_columns(corpus, _COLUMNS):
            long_enough = [row for row in rows if len(row["tokens"]) >= shortest]
            counts.short += len(rows) - len(long_enough)
            encoded = []
            for row in long_enough:
                view = tokenizer.encode(row)
                counts.add(collate([view], shape).cuts)
                group = numbers.setdefault(row["group"], len(numbers))
                encoded.append(
                    {"group": group, "class": classes[row["group"]], **_cut(view, shape)}
                )
            writer.write_batch(pa.RecordBatch.from_pylist(encoded, schema=_SCHEMA))
    counts.groups, counts.classes = len(numbers), len({classes[group] for group in numbers})
    (incoming / _COUNTS).write_text(json.dumps(asdict(counts)), encoding="utf-8")
    incoming.rename(target)


def _cut(view: EncodedFunction, shape: OscarConfig) -> dict[str, Any]:
    kept = slice(shape.max_instructions)
    return {
        "instruction": [entry[: shape.max_tokens] for entry in view.instruction[kept]],
        "environment": [entry[: shape.max_tokens] for entry in view.environment[kept]],
        "positions": view.positions[kept],
    }
