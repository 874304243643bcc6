"""What is told apart: items with a label, each in several views, each view some functions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
import torch
from torch import Tensor

from finetune.composition import Weights, reachable
from finetune.data.programs import Collection, NumberedRow, Program
from finetune.training.rows import Rows
from oscar.batching import EntryBatch, FunctionBatch


@dataclass(frozen=True, slots=True)
class View:
    """One view of an item.

    Attributes:
        rows: of its functions in the corpus (functions,).
        weights: how much each counts (functions,), 1 in all.
    """

    rows: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True)
class Items:
    """Labelled things to tell apart.

    Attributes:
        labels: of each item.
        views: of each item, one or more.
    """

    labels: list[str]
    views: list[list[View]]

    def __len__(self) -> int:
        return len(self.labels)

    def chosen(self, members: Sequence[int]) -> Items:
        """Some of the items."""
        return Items([self.labels[i] for i in members], [self.views[i] for i in members])

    @property
    def rows(self) -> np.ndarray:
        """Numbers of all rows of all views, each once, in order."""
        return np.unique(np.concatenate([view.rows for views in self.views for view in views]))

    @classmethod
    def of_programs(cls, collection: Collection, weights: Weights = reachable) -> Items:
        """The lowered programs of a collection; a program is all of its functions."""
        return cls.of_parts(collection, [collection.programs], weights)[0]

    @classmethod
    def of_parts(
        cls,
        collection: Collection,
        parts: Sequence[Sequence[Program]],
        weights: Weights = reachable,
    ) -> list[Items]:
        """The same of parts of a collection, whose corpus is read once."""
        made = [cls([], []) for _ in parts]
        home = {
            program.name: items for part, items in zip(parts, made, strict=True) for program in part
        }
        for program, rows in collection.numbered_rows():
            if program.name not in home:
                continue
            by_view: dict[str, list[NumberedRow]] = defaultdict(list)
            for row in rows:
                by_view[row.view].append(row)
            home[program.name].labels.append(program.label)
            home[program.name].views.append([_view(v, weights) for v in by_view.values()])
        return made


def _view(found: Sequence[NumberedRow], weights: Weights) -> View:
    counts = weights(found)
    numbers = np.array([row.number for row in found])
    used = counts > 0
    return View(numbers[used], counts[used] / counts.sum())


@dataclass(frozen=True, slots=True)
class ItemBatch:
    """Items as the model reads them.

    Attributes:
        functions: all functions of all items.
        items: item of each function (functions,).
        weights: how much each function counts in its item (functions,).
        places: place of each item in the step (items,).
    """

    functions: FunctionBatch | EntryBatch
    items: Tensor
    weights: Tensor
    places: Tensor

    def __len__(self) -> int:
        return len(self.places)

    def to(self, device: torch.device) -> Self:
        """Copy to a device."""
        return type(self)(*(getattr(self, field.name).to(device) for field in fields(self)))


def collate_items(views: Sequence[View], places: Sequence[int], rows: Rows) -> ItemBatch:
    """Batch one view of each item.

    Args:
        views: a view an item.
        places: of the items in the step.
        rows: what the views are of.
    """
    counts = [len(view.rows) for view in views]
    return ItemBatch(
        functions=rows.batch(np.concatenate([view.rows for view in views])),
        items=torch.repeat_interleave(torch.arange(len(views)), torch.tensor(counts)),
        weights=torch.tensor(np.concatenate([view.weights for view in views]), dtype=torch.float32),
        places=torch.tensor(places),
    )
