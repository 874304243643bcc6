"""Functions in several builds as items: each view is an item, its function is the label."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from finetune.data.stripped import stripped_stream
from finetune.evaluation.matching import evaluate_matching
from finetune.training.items import Items, View
from finetune.training.judging import item_vectors
from finetune.training.rows import Rows
from ir_pipeline import open_corpus
from ir_pipeline.views.view_names import LEVELS
from oscar.model import OscarModel
from pretrain.data.classes import FunctionClasses, held_out


@dataclass(frozen=True)
class Builds:
    """The functions of a corpus that have two views or more that differ.

    Attributes:
        items: the views, each different one of a function once; the labels are the functions.
        levels: the name of each view (items,).
        classes: the number of each view's function (items,).
    """

    items: Items
    levels: np.ndarray
    classes: np.ndarray

    def __len__(self) -> int:
        return len(np.unique(self.classes))

    @classmethod
    def of(cls, corpus: Path, keep_names: bool) -> Builds:
        """Those of a corpus; functions that share a view are one.

        Args:
            corpus: folder of the corpus.
            keep_names: whether views are different where only names differ.

        Raises:
            OscarError: the folder is missing or no corpus of this format.
        """
        groups, streams, levels = [], [], []
        for batch in open_corpus(corpus).batches(["group", "view", "tokens"]):
            groups += [int(group[:16], 16) for group in batch["group"].to_pylist()]
            levels += batch["view"].to_pylist()
            streams += [_digest(tokens, keep_names) for tokens in batch["tokens"].to_pylist()]
        content, keys = np.array(streams, np.uint64), np.array(groups, np.uint64)
        classes = FunctionClasses(keys, content).of(keys)
        _, first = np.unique(content, return_index=True)
        rows = np.sort(first)
        _, place, counts = np.unique(classes[rows], return_inverse=True, return_counts=True)
        return cls._of_rows(rows[counts[place] > 1], np.array(levels), classes)

    @classmethod
    def _of_rows(cls, rows: np.ndarray, levels: np.ndarray, classes: np.ndarray) -> Builds:
        one = np.ones(1)
        views = [[View(np.array([row]), one)] for row in rows]
        return cls(Items(classes[rows].astype(str).tolist(), views), levels[rows], classes[rows])

    def split(self, share: float, seed: int) -> tuple[Builds, Builds]:
        """Functions to learn from and functions held out, each with all of its views.

        Args:
            share: about how many to hold out (0 … 1).
            seed: holds out others.
        """
        out = held_out(self.classes, share, seed)
        return self._chosen(~out), self._chosen(out)

    def _chosen(self, which: np.ndarray) -> Builds:
        items = self.items.chosen(np.flatnonzero(which).tolist())
        return Builds(items, self.levels[which], self.classes[which])

    def ends(self) -> tuple[Items, Items]:
        """Each function at the lowest and at the highest level at which it differs."""
        found: dict[int, list[int]] = defaultdict(list)
        for item in np.argsort(self.levels, kind="stable"):
            if self.levels[item] in ("O0", *LEVELS):
                found[self.classes[item]].append(int(item))
        pairs = [(items[0], items[-1]) for _, items in sorted(found.items()) if len(items) > 1]
        lowest, highest = ([pair[side] for pair in pairs] for side in (0, 1))
        return self.items.chosen(lowest), self.items.chosen(highest)


def _digest(tokens: list[list[str]], keep_names: bool) -> int:
    text = stripped_stream(tokens, keep_names)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


class LevelScore:
    """recall@1 of functions at their lowest level among all functions at their highest.

    Args:
        builds: held out.
        rows: what their views are of.
    """

    def __init__(self, builds: Builds, rows: Rows) -> None:
        self._ends, self._rows = builds.ends(), rows

    def __len__(self) -> int:
        return len(self._ends[0])

    def __call__(self, model: OscarModel) -> float:
        """The figure of a model."""
        queries, targets = (item_vectors(model, items, self._rows) for items in self._ends)
        return evaluate_matching(queries, targets).recall_at_1
