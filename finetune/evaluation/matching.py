"""Each query has one right answer in a pool: recall@k, MRR, nDCG@10."""

from dataclasses import dataclass

import numpy as np

from finetune.evaluation.similarity import QUERIES_AT_ONCE, Vectors, normalised, products


@dataclass(frozen=True, slots=True)
class Matching:
    """Figures of a search for one right answer per query (0 … 1, higher is better).

    Attributes:
        recall_at_1: share of queries whose nearest target is the right one.
        recall_at_5: share of queries with the right one among the nearest 5.
        recall_at_10: share of queries with the right one among the nearest 10.
        mrr: mean of 1 / rank of the right target.
        ndcg_at_10: mean of 1 / log2(1 + rank), 0 beyond rank 10; the ideal is 1.
        queries: how many there are.
        pool: how many targets there are to choose from; every query has the same.
    """

    recall_at_1: float
    recall_at_5: float
    recall_at_10: float
    mrr: float
    ndcg_at_10: float
    queries: int
    pool: int

    @classmethod
    def of(cls, ranks: np.ndarray, pool: int) -> "Matching":
        """The figures of queries whose right answers have these ranks (queries,), from 1."""
        gains = np.where(ranks <= 10, 1 / np.log2(1 + ranks), 0)
        return cls(
            recall_at_1=float((ranks <= 1).mean()),
            recall_at_5=float((ranks <= 5).mean()),
            recall_at_10=float((ranks <= 10).mean()),
            mrr=float((1 / ranks).mean()),
            ndcg_at_10=float(gains.mean()),
            queries=len(ranks),
            pool=pool,
        )


def match_ranks(queries: Vectors, targets: Vectors, right: np.ndarray | None = None) -> np.ndarray:
    """Rank, from 1, of each query's right target among all targets by cosine: (queries,).

    Targets as near as the right one come before it if their index is smaller: where targets are
    in the order of their ids, ties are broken by id.

    Args:
        queries: (queries, dim).
        targets: (pool, dim).
        right: (queries,) row of the right target; by default that of the query's number.

    Raises:
        ValueError: a query has no right target.
    """
    right = np.arange(queries.shape[0]) if right is None else np.asarray(right)
    asked, pool = queries.shape[0], targets.shape[0]
    if len(right) != asked or (right >= pool).any() or (right < 0).any():
        raise ValueError(f"{asked} queries, but answers for {len(right)} of them")
    first, second = (normalised(part) for part in (queries, targets))
    ranks = np.empty(asked, int)
    for start in range(0, asked, QUERIES_AT_ONCE):
        block = slice(start, start + QUERIES_AT_ONCE)
        ranks[block] = _ranks(products(first[block], second), right[block])
    return ranks


def _ranks(scores: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Rank of the right target in each row of scores (queries, pool)."""
    own = scores[np.arange(len(right)), right][:, None]
    earlier = np.arange(scores.shape[1]) < right[:, None]
    ranks: np.ndarray = 1 + (scores > own).sum(axis=1) + ((scores == own) & earlier).sum(axis=1)
    return ranks


def evaluate_matching(
    queries: Vectors, targets: Vectors, right: np.ndarray | None = None
) -> Matching:
    """The figures of `match_ranks`."""
    return Matching.of(match_ranks(queries, targets, right), targets.shape[0])
