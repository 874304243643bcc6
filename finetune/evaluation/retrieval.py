"""How well a representation brings programs of one kind together."""

from dataclasses import dataclass

import numpy as np

from oscar.embedding import unit_length


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Figures of a retrieval in which each item in turn is the query (0 … 1, higher is better).

    Attributes:
        map_at_r: mean over queries of the average precision at R, R the number of other items
            of the query's label; each query's sum is divided by R, not by its hits.
        recall_at_1: share of queries whose nearest neighbour has their label.
        mrr: mean of 1 / rank of the first neighbour with the query's label.
        queries: how many items had at least one other of their label.
    """

    map_at_r: float
    recall_at_1: float
    mrr: float
    queries: int


def neighbours(vectors: np.ndarray) -> np.ndarray:
    """All other rows of `vectors` (n, dim), by cosine, nearest first: (n, n - 1) indices.

    Equal scores are ordered by index, so the result does not depend on the sort algorithm.
    """
    normalised = unit_length(np.asarray(vectors, np.float64))
    scores = np.round(normalised @ normalised.T, 12)
    np.fill_diagonal(scores, -np.inf)
    return np.argsort(-scores, axis=1, kind="stable")[:, :-1]


def evaluate_retrieval(vectors: np.ndarray, labels: list[str]) -> Retrieval:
    """Take each row of `vectors` (n, dim) as a query among all others.

    Raises:
        ValueError: `labels` has another length, or no label occurs twice.
    """
    if len(labels) != len(vectors):
        raise ValueError(f"{len(labels)} labels for {len(vectors)} vectors")
    kinds = np.unique(labels, return_inverse=True)[1]
    relevant = kinds[neighbours(vectors)] == kinds[:, None]
    relevant = relevant[relevant.any(axis=1)]
    if not len(relevant):
        raise ValueError("no label occurs twice: there is nothing to retrieve")
    first = relevant.argmax(axis=1) + 1
    return Retrieval(
        map_at_r=float(np.mean([average_precision_at_r(row) for row in relevant])),
        recall_at_1=float(relevant[:, 0].mean()),
        mrr=float((1 / first).mean()),
        queries=len(relevant),
    )


@dataclass(frozen=True, slots=True)
class Matching:
    """Figures of a search for one right answer per query (0 … 1, higher is better).

    Attributes:
        recall_at_1: share of queries whose nearest target is the right one.
        mrr: mean of 1 / rank of the right target.
        pool: how many targets there are to choose from; every query has the same.
    """

    recall_at_1: float
    mrr: float
    pool: int


def evaluate_matching(queries: np.ndarray, targets: np.ndarray) -> Matching:
    """Look for row i of `targets` (n, dim) with row i of `queries` (n, dim), by cosine.

    Targets as near as the right one come before it: a representation that makes everything
    alike finds nothing.
    """
    normalised = (unit_length(np.asarray(part, np.float64)) for part in (queries, targets))
    first, second = normalised
    scores = np.round(first @ second.T, 12)
    ranks = (scores >= np.diag(scores)[:, None]).sum(axis=1)
    return Matching(float((ranks == 1).mean()), float((1 / ranks).mean()), len(targets))


def average_precision_at_r(relevant: np.ndarray) -> float:
    """Average precision of one ranking (n,) of booleans at R, the number of true entries."""
    r = int(relevant.sum())
    top = relevant[:r]
    precision = np.cumsum(top) / np.arange(1, r + 1)
    return float((precision * top).sum() / r)
