"""Each item in turn asks for the others of its label: MAP@R, recall@1, MRR."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from finetune.evaluation.similarity import Vectors, rankings


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


@dataclass(frozen=True)
class QueryScores:
    """What each query of a retrieval got.

    Attributes:
        labels: (queries,) of the query.
        average_precision: (queries,) at R.
        reciprocal_rank: (queries,) 1 / rank of the first neighbour of the label, 0 if none.
    """

    labels: np.ndarray
    average_precision: np.ndarray
    reciprocal_rank: np.ndarray

    @property
    def figures(self) -> Retrieval:
        """The means over all queries."""
        return Retrieval(
            map_at_r=float(self.average_precision.mean()),
            recall_at_1=float((self.reciprocal_rank == 1).mean()),
            mrr=float(self.reciprocal_rank.mean()),
            queries=len(self.labels),
        )


def score_retrieval(
    vectors: Vectors, labels: Sequence[str], missing: Sequence[str] = ()
) -> QueryScores:
    """Take each row of `vectors` (n, dim) as a query among all others.

    Args:
        vectors: a row an item.
        labels: of the items.
        missing: labels of items without a vector. They count: each is a query that finds
            nothing, and an answer that no query can find.

    Raises:
        ValueError: `labels` has another length, or no label occurs twice.
    """
    if len(labels) != vectors.shape[0]:
        raise ValueError(f"{len(labels)} labels for {vectors.shape[0]} vectors")
    sizes = Counter([*labels, *missing])
    lost = [label for label in missing if sizes[label] > 1]
    asked = np.array([sizes[label] > 1 for label in labels], bool)
    if not asked.any() and not lost:
        raise ValueError("no label occurs twice: there is nothing to retrieve")
    relevant = _relevance(vectors, np.asarray(labels))
    wanted = (sizes[label] - 1 for label in labels)
    scores = [
        (average_precision_at_r(row, r), _reciprocal_rank(row))
        for row, r in zip(relevant, wanted, strict=True)
        if r
    ]
    precisions, ranks = np.array([*scores, *[(0.0, 0.0)] * len(lost)]).T
    return QueryScores(np.array([*np.asarray(labels)[asked], *lost]), precisions, ranks)


def evaluate_retrieval(
    vectors: Vectors, labels: Sequence[str], missing: Sequence[str] = ()
) -> Retrieval:
    """The figures of `score_retrieval`."""
    return score_retrieval(vectors, labels, missing).figures


def average_precision_at_r(relevant: np.ndarray, r: int) -> float:
    """Average precision of one ranking (n,) of booleans at R, the number of right answers.

    Right answers that are no part of the ranking make R larger than its number of true entries.
    """
    top = relevant[:r]
    precision = np.cumsum(top) / np.arange(1, len(top) + 1)
    return float((precision * top).sum() / r)


def _reciprocal_rank(relevant: np.ndarray) -> float:
    return 1 / (int(relevant.argmax()) + 1) if relevant.any() else 0.0


def _relevance(vectors: Vectors, labels: np.ndarray) -> Iterator[np.ndarray]:
    """For each item, whether its neighbours, nearest first, have its label: (n - 1,)."""
    query = 0
    for ranking in rankings(vectors):
        yield from labels[ranking] == labels[query : query + len(ranking), None]
        query += len(ranking)
