"""The batch of any step, from seed, step and rank alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import Dataset

from finetune.training.config import RunOptions
from finetune.training.items import ItemBatch, Items, View, collate_items
from finetune.training.rows import Rows
from oscar.batching import BatchStats
from pretrain.data.micro import micro_batches
from static_analysis import OscarError

_VIEWS = 1
"""Sets the draws of views apart from those of items."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a process reads for one optimiser step.

    Attributes:
        labels: number of the label of every item of the step, over all processes (items,).
        parts: the micro-batches of this process.
    """

    labels: Tensor
    parts: list[ItemBatch]

    @property
    def counts(self) -> dict[str, float]:
        """What this process reads: functions, and their `BatchStats`."""
        batches = [part.functions for part in self.parts]
        stats = sum((batch.stats for batch in batches), BatchStats())
        return {"functions": sum(len(batch) for batch in batches), **asdict(stats)}


class Steps(Dataset[Step]):
    """The steps of a run, for one process.

    Args:
        items: what to tell apart.
        rows: what their views are of.
        config: the run's options.
        sampler: gives the item numbers of a step.
        rank: number of this process.
        size: number of processes.

    Raises:
        OscarError: some process would have nothing to read.
    """

    def __init__(
        self,
        items: Items,
        rows: Rows,
        config: RunOptions,
        sampler: Callable[[int], np.ndarray],
        rank: int = 0,
        size: int = 1,
    ) -> None:
        if size > (count := len(sampler(0))):
            raise OscarError(
                f"a step of {count} items cannot be shared by {size} processes: make it larger"
            )
        self._labels = np.unique(np.asarray(items.labels), return_inverse=True)[1]
        self._sampler = sampler
        self._items, self._rows, self._config = items, rows, config
        self._rank, self._size = rank, size

    def __getitem__(self, number: int) -> Step:
        chosen = self._sampler(number)
        draw = np.random.default_rng([self._config.seed, number, _VIEWS])
        views = [self._drawn(int(item), draw) for item in chosen]
        sizes = [int(self._rows.sizes[view.rows].sum()) for view in views]
        shares = micro_batches(sizes, self._config.token_budget, self._size)[self._rank]
        parts = [
            self._collated([views[place] for place in part], part, chosen[part]) for part in shares
        ]
        return Step(torch.from_numpy(self._labels[chosen]), parts)

    def _collated(
        self, views: Sequence[View], places: Sequence[int], items: np.ndarray
    ) -> ItemBatch:
        """The batch of some views, their places in the step, and the items they are of."""
        return collate_items(views, places, self._rows)

    def _drawn(self, item: int, draw: np.random.Generator) -> View:
        views: Sequence[View] = self._items.views[item]
        return views[int(draw.integers(len(views)))]
