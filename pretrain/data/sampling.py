"""Which two views of which functions make up a step: a pure function of seed and position.

Nothing is remembered between steps, so a resumed run reads exactly what an uninterrupted one would
have read, and nothing depends on how many processes share a step.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Pair:
    """Two views of one function.

    Attributes:
        group: Number of the function.
        query: Row of the view that is masked and trained on.
        key: Row of the other view; the same row where the function has only one view.
    """

    group: int
    query: int
    key: int


class PairSampler:
    """Deals the functions of a corpus into steps of pairs.

    Every epoch deals each function once in a new order; a step may span two epochs, so none is
    ever short.

    Args:
        groups: Group number of every row (rows,), numbers 0 to n - 1, each at least once.
        dealt: Which rows to deal (rows,): all or none of a group.
        batch_size: Pairs per step.
        seed: Decides orders and views.
    """

    def __init__(
        self, groups: NDArray[np.int32], dealt: NDArray[np.bool_], batch_size: int, seed: int
    ) -> None:
        self.batch_size = batch_size
        self.seed = seed
        self._rows = np.argsort(groups, kind="stable")
        self._starts = np.searchsorted(groups[self._rows], np.arange(int(groups.max()) + 2))
        self._dealt = np.unique(groups[dealt])

    def step(self, number: int) -> list[Pair]:
        """The pairs of step `number` (from 0)."""
        start = number * self.batch_size
        return [self.pair(position) for position in range(start, start + self.batch_size)]

    def pair(self, position: int) -> Pair:
        """Pair number `position` (from 0) of the endless deal."""
        count = len(self._dealt)
        epoch, place = divmod(position, count)
        group = int(self._dealt[_order(self.seed, epoch, count)[place]])
        views = self._rows[self._starts[group] : self._starts[group + 1]]
        if len(views) == 1:
            return Pair(group, int(views[0]), int(views[0]))
        draw = np.random.default_rng([self.seed, epoch, group])
        query, key = draw.choice(views, size=2, replace=False)
        return Pair(group, int(query), int(key))


@lru_cache(maxsize=2)
def _order(seed: int, epoch: int, count: int) -> NDArray[np.int64]:
    return np.random.default_rng([seed, epoch]).permutation(count)
