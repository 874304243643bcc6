"""The rows of a corpus as a model reads them: as tokens, or as its token level leaves them."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from rich.console import Console
from safetensors.torch import save

from ir_pipeline.progress import progress_bar
from oscar.batching import (
    EntryBatch,
    FunctionBatch,
    batches_by_budget,
    collate,
    collate_entries,
)
from oscar.config import OscarConfig
from oscar.embedding import TOKENS_PER_BATCH
from oscar.model import OscarModel
from pretrain.data.encoded_corpus import EncodedCorpus
from pretrain.engine.world import World

SIZES, POSITIONS, VECTORS = "sizes.npy", "positions.npy", "vectors.float16"


class Rows(Protocol):
    """Rows of a corpus that a model can read."""

    @property
    def sizes(self) -> np.ndarray:
        """What each row of the corpus costs: its tokens or its entries (rows,)."""

    def batch(self, rows: Sequence[int] | np.ndarray) -> FunctionBatch | EntryBatch:
        """Some of the rows, in the order given."""


@dataclass(frozen=True, slots=True)
class TokenRows:
    """Rows as tokens.

    Attributes:
        corpus: holds them.
        shape: of the model that is to read them.
    """

    corpus: EncodedCorpus
    shape: OscarConfig

    @property
    def sizes(self) -> np.ndarray:
        """Tokens of each row (rows,), both streams together."""
        sizes: np.ndarray = self.corpus.sizes
        return sizes

    def batch(self, rows: Sequence[int] | np.ndarray) -> FunctionBatch:
        """Some of the rows, in the order given."""
        return collate([self.corpus[int(row)] for row in rows], self.shape)


class EntryRows:
    """Rows as the token level of a model has left them, in memory-mapped files.

    Args:
        folder: that `keep_entries` has written.
        shape: of the model.

    Attributes:
        sizes: entries of each row of the corpus (rows,), of all streams together; 0 where a row
            was not kept.
    """

    def __init__(self, folder: Path, shape: OscarConfig) -> None:
        self._folder, self._shape = folder, shape
        self.sizes: np.ndarray = np.load(folder / SIZES)
        self._lengths = self.sizes // len(shape.reads)
        self._starts = self._lengths.cumsum() - self._lengths
        self._positions = np.load(folder / POSITIONS, mmap_mode="r")
        entries = (len(self._positions), len(shape.reads), shape.hidden_size)
        self._vectors = np.memmap(folder / VECTORS, np.float16, "r", shape=entries)

    def batch(self, rows: Sequence[int] | np.ndarray) -> EntryBatch:
        """Some of the rows, in the order given.

        Raises:
            ValueError: one of them was not kept.
        """
        if not self._lengths[rows].all():
            raise ValueError("a row that was not kept is asked for")
        spans = [slice(self._starts[row], self._starts[row] + self._lengths[row]) for row in rows]
        functions = [(self._vectors[span], self._positions[span]) for span in spans]
        return collate_entries(functions, self._shape)

    def __reduce__(self) -> tuple[type[EntryRows], tuple[Path, OscarConfig]]:
        """Another process opens the files itself."""
        return EntryRows, (self._folder, self._shape)


def keep_entries(
    model: OscarModel,
    tokens: TokenRows,
    wanted: np.ndarray,
    folder: Path,
    world: World,
    console: Console,
) -> EntryRows:
    """Compute what the token level of a model makes of rows, or open what an earlier call made.

    Args:
        model: its token level is not trained from here on.
        tokens: the rows.
        wanted: numbers of those to keep, ascending.
        folder: where to write; the result appears whole or not at all.
        world: this process among the others, who share the work.
        console: where to show how far it is.

    Raises:
        OSError: there is no room on the disk.
    """
    target = folder / _name(model, tokens, wanted)
    if world.any(not target.is_dir()):
        incoming = target.with_suffix(".incoming")
        if world.leads:
            _reserve(tokens, wanted, model.config, incoming)
        world.wait()
        _fill(model, tokens, np.array_split(wanted, world.size)[world.rank], incoming, console)
        world.wait()
        if world.leads:
            incoming.rename(target)
        world.wait()
    return EntryRows(target, model.config)


def _name(model: OscarModel, tokens: TokenRows, wanted: np.ndarray) -> str:
    """Changes with what the vectors depend on, which dropout in training is no part of."""
    shape = replace(model.config, dropout=0.0, entry_dropout=0.0)
    weights = {
        name: value.detach().cpu().contiguous()
        for name, value in model.state_dict().items()
        if name.startswith(("instruction_encoder", "environment_encoder"))
    }
    digest = hashlib.sha256(save(weights))
    digest.update(f"{shape.to_json()} {tokens.corpus.folder.name}".encode())
    digest.update(np.ascontiguousarray(wanted, np.int64).tobytes())
    return digest.hexdigest()[:16]


def _reserve(tokens: TokenRows, wanted: np.ndarray, shape: OscarConfig, folder: Path) -> None:
    """Write the files, the positions in place, with room for the vectors."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    positions = [tokens.corpus[int(row)].positions for row in wanted]
    sizes = np.zeros(len(tokens.corpus), np.int64)
    sizes[wanted] = [len(shape.reads) * len(part) for part in positions]
    np.save(folder / SIZES, sizes)
    np.save(folder / POSITIONS, np.concatenate(positions))
    with (folder / VECTORS).open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, int(sizes.sum()) * _bytes_per_entry(shape))


def _bytes_per_entry(shape: OscarConfig) -> int:
    return shape.hidden_size * np.dtype(np.float16).itemsize


def _fill(
    model: OscarModel, tokens: TokenRows, share: np.ndarray, folder: Path, console: Console
) -> None:
    """Compute the vectors of a share of the rows, neighbours among those that are kept."""
    sizes = np.load(folder / SIZES)
    starts = (sizes.cumsum() - sizes) * _bytes_per_entry(model.config)
    training = model.training
    model.eval()
    runs = batches_by_budget(tokens.sizes[share], TOKENS_PER_BATCH)
    # Written, not mapped: machines that share a disk would write whole pages over each other's.
    with (folder / VECTORS).open("r+b") as file, progress_bar(console) as bar:
        for run in bar.track(runs, description="reading with the token level"):
            rows = share[run.start : run.stop]
            with torch.inference_mode():
                vectors = model.entry_vectors(tokens.batch(rows).to(model.device))
            file.seek(int(starts[rows[0]]))
            file.write(vectors.half().cpu().numpy().tobytes())
    model.train(training)
