"""Encodes a corpus once, several shards at a time, into the files that `EncodedCorpus` reads."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from rich.console import Console

from ir_pipeline import open_corpus
from ir_pipeline.corpus.reader import shard_batches
from ir_pipeline.progress import progress_bar
from oscar.config import OscarConfig
from oscar.encoded import EncodedFunction
from oscar.limits import cut
from oscar.tokenizer import OscarTokenizer
from pretrain.data.classes import FunctionClasses, function_classes
from pretrain.data.encoded_corpus import (
    ARRAYS,
    COUNTS,
    PARTS,
    STREAMS,
    Counts,
    EncodedCorpus,
    corpus_id,
)
from pretrain.data.processes import HelperContext

_COLUMNS = ["group", "tokens", "environment", "own_positions", "true_positions", "false_positions"]
_IDS = pa.list_(pa.int32())
_SCHEMA = pa.schema(
    {f"{stream}_{what}": _IDS for stream in STREAMS for what in ("ids", "lengths")}
    | {"positions": _IDS}
)
_FORMAT = 4
"""Goes up when the files change, so that a run resumed by a newer version makes them again."""


def encode_corpus(
    corpus: Path,
    tokenizer: OscarTokenizer,
    folder: Path,
    *,
    shortest: int,
    shape: OscarConfig,
    console: Console | None = None,
) -> EncodedCorpus:
    """Encodes a corpus, or opens what an earlier call with the same arguments has written.

    Args:
        corpus: The corpus folder.
        tokenizer: The tokenizer of both streams.
        folder: Where to write; the result appears whole or not at all.
        shortest: Views with fewer instructions are dropped, and counted.
        shape: Of the model that is to read the views; what it would not read is cut, and counted.
        console: Where to show how far it is; None: nowhere.

    Raises:
        OscarError: The folder is missing or no corpus of this format.
    """
    limits = (shortest, shape.max_instructions, shape.max_tokens)
    options = f"{_FORMAT} {corpus_id(corpus)} {tokenizer.hash} {limits}"
    target = folder / hashlib.sha256(options.encode()).hexdigest()[:16]
    if not target.is_dir():
        incoming = target.with_suffix(".incoming")
        shutil.rmtree(incoming, ignore_errors=True)
        incoming.mkdir(parents=True)
        shards = open_corpus(corpus).shards
        encoder = _Encoder(tokenizer, incoming, shortest, shape)
        parts = _encode(encoder, shards, console or Console(quiet=True))
        _write_index(list(parts), incoming, function_classes(corpus))
        incoming.rename(target)
    return EncodedCorpus(target)


@dataclass(frozen=True, slots=True)
class _Part:
    """What is known of an encoded shard: group and size of its rows, rows of its batches."""

    groups: list[str]
    sizes: NDArray[np.int32]
    batches: list[int]
    counts: Counts


@dataclass(frozen=True, slots=True)
class _Encoder:
    """Encodes one shard; sent to other processes."""

    tokenizer: OscarTokenizer
    folder: Path
    shortest: int
    shape: OscarConfig

    def __call__(self, number: int, shard: Path) -> _Part:
        part = _Part([], np.empty(0, np.int32), [], Counts())
        sizes: list[int] = []
        path = self.folder / PARTS.format(number)
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, _SCHEMA) as writer:
            for batch in shard_batches([shard], _COLUMNS):
                kept = list(self._views(batch.to_pylist(), part))
                sizes += (view.size for view in kept)
                part.batches.append(len(kept))
                writer.write_batch(pa.RecordBatch.from_pylist(list(map(_flat, kept)), _SCHEMA))
        return replace(part, sizes=np.array(sizes, np.int32))

    def _views(self, rows: list[dict[str, Any]], part: _Part) -> Iterator[EncodedFunction]:
        for row in rows:
            if len(row["tokens"]) < self.shortest:
                part.counts.short += 1
                continue
            view, cuts = cut(self.tokenizer.encode(row), self.shape)
            part.counts.keep(cuts)
            part.groups.append(row["group"])
            yield view


def _encode(encoder: _Encoder, shards: list[Path], console: Console) -> Iterable[_Part]:
    """Encodes the shards, in order; with one shard or one processor, in this process."""
    processes = min(len(shards), len(os.sched_getaffinity(0)))
    with ExitStack() as stack:
        bar = stack.enter_context(progress_bar(console))
        work: Callable[..., Iterable[_Part]] = map
        if processes > 1:
            work = stack.enter_context(ProcessPoolExecutor(processes, HelperContext())).map
        parts = work(encoder, range(len(shards)), shards)
        yield from bar.track(parts, len(shards), description="encoding the corpus")


def _write_index(parts: list[_Part], folder: Path, classes: FunctionClasses) -> None:
    numbers: dict[str, int] = {}
    rows = chain.from_iterable(part.groups for part in parts)
    groups = np.array([numbers.setdefault(name, len(numbers)) for name in rows], np.int32)
    class_of = np.array([classes[name] for name in numbers], np.int64)
    counts = sum((part.counts for part in parts), Counts())
    counts.groups, counts.classes = len(numbers), len(np.unique(class_of))
    sizes = np.concatenate([np.empty(0, np.int32), *(part.sizes for part in parts)])
    places = [(n, i, j) for i, part in enumerate(parts) for j, n in enumerate(part.batches)]
    batches = np.array(places, np.int64).reshape(-1, 3)
    batches[:, 0] = batches[:, 0].cumsum() - batches[:, 0]
    index: list[NDArray[Any]] = [groups, class_of[groups], sizes, batches]
    for name, array in zip(ARRAYS, index, strict=True):
        np.save(folder / f"{name}.npy", array)
    (folder / COUNTS).write_text(json.dumps(asdict(counts)), encoding="utf-8")


def _flat(view: EncodedFunction) -> dict[str, Any]:
    """The view as flat arrays, as the columns are."""
    row = {"positions": view.positions.ravel()}
    for name in STREAMS:
        entries = getattr(view, name)
        row |= {f"{name}_ids": entries.ids, f"{name}_lengths": entries.lengths}
    return row
