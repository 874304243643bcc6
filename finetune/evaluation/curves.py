"""Figures that change along something: precision with recall, recall with size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

POINTS = 100
"""Most points kept of a curve."""
SIZES = 8
"""Most parts that queries are parted into by size."""
LEAST_IN_SIZE = 20
"""Fewest queries of a part."""


@dataclass(frozen=True)
class Curve:
    """One figure over another (0 … 1 each, but for sizes).

    Attributes:
        x: (points,).
        y: (points,).
    """

    x: np.ndarray
    y: np.ndarray

    def thinned(self) -> Curve:
        """`POINTS` of its points, dense at the beginning, the first and the last among them."""
        if len(self.x) < 2:
            return self
        kept = np.unique(np.geomspace(1, len(self.x), POINTS).round().astype(int)) - 1
        return Curve(self.x[kept], self.y[kept])


def recall_by_size(sizes: np.ndarray, ranks: np.ndarray, k: int = 1) -> Curve:
    """Share of queries whose right answer is among the first k, small queries to large ones.

    The queries are parted by size into at most `SIZES` parts that are equally large, none of fewer
    than `LEAST_IN_SIZE` where there are as many: each point is as sure as the others.

    Args:
        sizes: (queries,) such as numbers of instructions.
        ranks: (queries,) from 1.
        k: how many of the nearest are looked at.

    Returns:
        Median size and recall of each part.
    """
    order = np.argsort(sizes, kind="stable")
    parts = np.array_split(order, min(SIZES, max(1, len(order) // LEAST_IN_SIZE)))
    return Curve(
        np.array([np.median(sizes[part]) for part in parts]),
        np.array([(ranks[part] <= k).mean() for part in parts]),
    )
