"""The rows of a corpus as a model reads them: as tokens, or as its token level leaves them."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from numpy.lib.format import open_memmap
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

SIZES, POSITIONS, VECTORS = "sizes.npy", "positions.npy", "vectors.npy"


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
        self._vectors = np.load(folder / VECTORS, mmap_mode="r")

    def batch(self, rows: Sequence[int] | np.ndarray) -> EntryBatch:
        """Some of the rows, in the order given."""
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
        wanted: numbers of those to keep, each once.
        folder: where to write; the result appears whole or not at all.
        world: this process among the others, who share the work.
        console: where to show how far it is.
    """
    target = folder / _name(model, tokens, wanted)
    if not target.is_dir():
        incoming = target.with_suffix(".incoming")
        if world.leads:
            _reserve(tokens, wanted, model.config, incoming)
        world.wait()
        _fill(model, tokens, wanted[world.rank :: world.size], incoming, console)
        world.wait()
        if world.leads:
            incoming.rename(target)
        world.wait()
    return EntryRows(target, model.config)


def _name(model: OscarModel, tokens: TokenRows, wanted: np.ndarray) -> str:
    """Changes with whatever the vectors depend on."""
    weights = {
        name: value.detach().cpu().contiguous()
        for name, value in model.state_dict().items()
        if name.startswith(("instruction_encoder", "environment_encoder"))
    }
    digest = hashlib.sha256(save(weights))
    digest.update(f"{model.config.to_json()} {tokens.corpus.folder.name}".encode())
    digest.update(np.ascontiguousarray(wanted, np.int64).tobytes())
    return digest.hexdigest()[:16]


def _reserve(tokens: TokenRows, wanted: np.ndarray, shape: OscarConfig, folder: Path) -> None:
    """Write files of the right size, the positions in place, the vectors still zero."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    streams = len(shape.reads)
    positions = [tokens.corpus[int(row)].positions for row in np.sort(wanted)]
    sizes = np.zeros(len(tokens.corpus), np.int64)
    sizes[np.sort(wanted)] = [streams * len(part) for part in positions]
    np.save(folder / SIZES, sizes)
    np.save(folder / POSITIONS, np.concatenate(positions))
    entries = (int(sizes.sum()) // streams, streams, shape.hidden_size)
    open_memmap(folder / VECTORS, "w+", np.float16, entries).flush()


def _fill(
    model: OscarModel, tokens: TokenRows, share: np.ndarray, folder: Path, console: Console
) -> None:
    """Compute the vectors of a share of the rows."""
    kept = open_memmap(folder / VECTORS, "r+")
    lengths = np.load(folder / SIZES) // len(model.config.reads)
    starts = lengths.cumsum() - lengths
    training = model.training
    model.eval()
    runs = batches_by_budget(tokens.sizes[share], TOKENS_PER_BATCH)
    with progress_bar(console) as bar, torch.inference_mode():
        for run in bar.track(runs, description="reading with the token level"):
            rows = share[run.start : run.stop]
            vectors = model.entries(tokens.batch(rows).to(model.device)).vectors
            parts = vectors.half().cpu().numpy()
            for row, part in zip(rows, np.split(parts, lengths[rows].cumsum()[:-1]), strict=True):
                kept[starts[row] : starts[row] + lengths[row]] = part
    kept.flush()
    model.train(training)
