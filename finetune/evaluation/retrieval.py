"""Each item in turn asks for the others of its label: MAP@R, recall@1, MRR."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from finetune.evaluation.curves import Curve
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
        curve: recall and precision of the first k neighbours, means over all queries, for some k.
    """

    labels: np.ndarray
    average_precision: np.ndarray
    reciprocal_rank: np.ndarray
    curve: Curve | None = None

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
    others = np.array([sizes[label] - 1 for label in labels], int)
    if not (others > 0).any() and not lost:
        raise ValueError("no label occurs twice: there is nothing to retrieve")
    found = _Found.among(rankings(vectors), np.asarray(labels), others)
    nothing = np.zeros(len(lost))
    return QueryScores(
        np.array([*np.asarray(labels)[others > 0], *lost]),
        np.concatenate([*found.average_precision, nothing]),
        np.concatenate([*found.reciprocal_rank, nothing]),
        found.curve(len(lost)),
    )


def evaluate_retrieval(
    vectors: Vectors, labels: Sequence[str], missing: Sequence[str] = ()
) -> Retrieval:
    """The figures of `score_retrieval`."""
    return score_retrieval(vectors, labels, missing).figures


def average_precision_at_r(relevant: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Average precision at R of some rankings: (queries,).

    Right answers that are no part of a ranking make its R larger than its number of true entries.

    Args:
        relevant: (queries, n) whether the neighbours, nearest first, are right answers.
        r: (queries,) number of right answers.
    """
    ranks = np.arange(1, min(relevant.shape[1], int(r.max(initial=0))) + 1)
    top = relevant[:, : len(ranks)] & (ranks <= r[:, None])
    total: np.ndarray = (np.cumsum(top, axis=1) / ranks * top).sum(axis=1) / r
    return total


def reciprocal_ranks(relevant: np.ndarray) -> np.ndarray:
    """1 / rank of the first right answer of some rankings (queries, n), 0 without: (queries,)."""
    if not relevant.shape[1]:
        return np.zeros(len(relevant))
    return np.where(relevant.any(axis=1), 1 / (relevant.argmax(axis=1) + 1), 0.0)


@dataclass
class _Found:
    """What some queries found, added up block by block.

    Attributes:
        average_precision: a part a block (queries of the block,).
        reciprocal_rank: likewise.
        right: (n - 1,) how many queries have a right answer at each rank.
        share: (n - 1,) the same, each query counting as one of its R right answers.
    """

    average_precision: list[np.ndarray]
    reciprocal_rank: list[np.ndarray]
    right: np.ndarray
    share: np.ndarray

    @classmethod
    def among(
        cls, ranked: Iterable[np.ndarray], labels: np.ndarray, others: np.ndarray
    ) -> "_Found":
        """Read rankings of all items, of which those that have `others` of their label ask."""
        _, codes = np.unique(labels, return_inverse=True)
        ranks = max(0, len(labels) - 1)
        found = cls([], [], np.zeros(ranks), np.zeros(ranks))
        start = 0
        for ranking in ranked:
            block = slice(start, start + len(ranking))
            asked = others[block] > 0
            relevant = (codes[ranking] == codes[block, None])[asked]
            found._add(relevant, others[block][asked])
            start += len(ranking)
        return found

    def _add(self, relevant: np.ndarray, r: np.ndarray) -> None:
        self.average_precision.append(average_precision_at_r(relevant, r))
        self.reciprocal_rank.append(reciprocal_ranks(relevant))
        self.right += relevant.sum(axis=0)
        self.share += (1 / r) @ relevant

    def curve(self, lost: int) -> Curve:
        """Mean recall and precision of the first k, with `lost` queries that found nothing."""
        queries = sum(map(len, self.average_precision)) + lost
        precision = np.cumsum(self.right) / np.arange(1, len(self.right) + 1) / queries
        return Curve(np.cumsum(self.share) / queries, precision).thinned()
