"""How near is what to what: cosines of dense or sparse vectors, some rows at a time."""

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import csr_matrix, issparse
from sklearn.preprocessing import normalize

from oscar.embedding import unit_length

Vectors: TypeAlias = np.ndarray | csr_matrix
"""A row an item, (n, dim): dense, or sparse where most entries are zero."""

QUERIES_AT_ONCE = 512
"""Rankings held in memory at a time."""


def neighbours(vectors: Vectors) -> np.ndarray:
    """All other rows of `vectors` (n, dim), by cosine, nearest first: (n, n - 1) indices.

    Equal scores are ordered by index, so the result does not depend on the sort algorithm:
    where items are in the order of their ids, ties are broken by id.
    """
    return np.concatenate([*rankings(vectors), np.empty((0, max(0, vectors.shape[0] - 1)), int)])


def rankings(vectors: Vectors) -> Iterator[np.ndarray]:
    """The rankings of `neighbours`, those of some rows at a time."""
    for start, scores in cosines(vectors):
        own = np.arange(len(scores))
        scores[own, start + own] = -np.inf
        yield np.argsort(-scores, axis=1, kind="stable")[:, :-1]


def cosines(vectors: Vectors) -> Iterator[tuple[int, np.ndarray]]:
    """Cosines of some rows at a time with all rows, and the number of the first of them."""
    if vectors.shape[0] == 0:
        return
    table = normalised(vectors)
    for start in range(0, vectors.shape[0], QUERIES_AT_ONCE):
        yield start, products(table[start : start + QUERIES_AT_ONCE], table)


def products(first: Vectors, second: Vectors) -> np.ndarray:
    """Inner products (n, m) of rows (n, dim) and (m, dim).

    Rounded, so that what is equal but for the order of additions is equal.
    """
    table: Any = first @ second.T
    rounded: np.ndarray = np.round(table.toarray() if issparse(table) else table, 12)
    return rounded


def normalised(vectors: Vectors) -> Vectors:
    """Rows of length one in double precision; a row of zeros stays as it is."""
    doubles = vectors.astype(np.float64)
    return normalize(doubles) if issparse(doubles) else unit_length(doubles)
