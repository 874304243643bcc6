"""Descriptions and functions as a search model reads them: batches, order, held-out ones."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from finetune.data.descriptions import Described, key
from finetune.training.config import PairConfig
from finetune.training.items import ItemBatch, Items, View, collate_items
from finetune.training.rows import Rows
from finetune.training.sampler import EpochSampler
from finetune.training.steps import Steps


@dataclass(frozen=True)
class Pairs:
    """Functions and their descriptions.

    Attributes:
        items: the functions, in their views; the labels are the descriptions' words.
        texts: vectors of the descriptions (pairs, dim).
    """

    items: Items
    texts: np.ndarray

    def __len__(self) -> int:
        return len(self.items)

    @classmethod
    def of(cls, described: Sequence[Described], texts: np.ndarray) -> Pairs:
        """The pairs mined from one corpus, and the vectors of their texts (pairs, dim)."""
        one = np.ones(1)
        views = [[View(np.array([row]), one) for row in pair.rows] for pair in described]
        return cls(Items([key(pair.text) for pair in described], views), texts)

    def split(self, share: float, seed: int) -> tuple[Pairs, Pairs]:
        """Pairs to learn from and pairs held out; those of one text are on one side.

        Args:
            share: about how many to hold out (0 … 1).
            seed: holds out others.
        """
        held_out = np.array([_draw(label, seed) < share for label in self.items.labels], bool)
        return self._chosen(~held_out), self._chosen(held_out)

    def _chosen(self, which: np.ndarray) -> Pairs:
        return Pairs(self.items.chosen(np.flatnonzero(which).tolist()), self.texts[which])


def _draw(label: str, seed: int) -> float:
    digest = hashlib.blake2b(f"{seed}\0{label}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) / 2**64


@dataclass(frozen=True, slots=True)
class PairBatch(ItemBatch):
    """Functions with what describes them.

    Attributes:
        texts: vectors of the descriptions (items, dim).
    """

    texts: Tensor


class PairSteps(Steps):
    """The steps of a run over pairs, for one process.

    Args:
        pairs: to learn from.
        rows: what their views are of.
        config: the run's options.
        rank: number of this process.
        size: number of processes.
    """

    def __init__(
        self,
        pairs: Pairs,
        rows: Rows,
        config: PairConfig,
        rank: int = 0,
        size: int = 1,
    ) -> None:
        sampler = EpochSampler(len(pairs), config.batch_size, config.seed)
        super().__init__(pairs.items, rows, config, sampler, rank, size)
        self._texts = torch.from_numpy(pairs.texts)

    def _collated(
        self, views: Sequence[View], places: Sequence[int], items: np.ndarray
    ) -> PairBatch:
        batch = collate_items(views, places, self._rows)
        texts = self._texts[torch.from_numpy(items)]
        return PairBatch(batch.functions, batch.items, batch.weights, batch.places, texts)
