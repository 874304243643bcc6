import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score

from finetune.evaluation.matching import Matching, evaluate_matching, match_ranks


def test_matching_looks_for_the_row_of_the_same_number():
    queries = np.array([[1, 0], [0, 1], [1, 1]])
    targets = np.array([[1, 0.1], [1, 0], [1, 0.9]])
    assert match_ranks(queries, targets).tolist() == [2, 3, 1]
    figures = evaluate_matching(queries, targets)
    assert figures.recall_at_1 == pytest.approx(1 / 3)
    assert figures.recall_at_5 == figures.recall_at_10 == 1
    assert figures.mrr == pytest.approx((1 / 2 + 1 / 3 + 1) / 3)
    assert (figures.queries, figures.pool) == (3, 3)


def test_queries_may_have_other_answers_than_the_row_of_their_number():
    targets = np.eye(3)
    assert match_ranks(targets[[2, 0]], targets, np.array([2, 0])).tolist() == [1, 1]
    with pytest.raises(ValueError, match="2 queries, but answers for 1"):
        match_ranks(targets[:2], targets, np.array([0]))
    with pytest.raises(ValueError, match="answers"):
        match_ranks(targets[:2], targets, np.array([0, 3]))


def test_ties_are_broken_by_index():
    # All alike: the answer to query i stands at place i.
    assert match_ranks(np.ones((4, 2)), np.ones((4, 2))).tolist() == [1, 2, 3, 4]


def test_figures_by_hand():
    figures = Matching.of(np.array([1, 2, 7, 11]), pool=20)
    assert figures.recall_at_1 == 1 / 4
    assert figures.recall_at_5 == 2 / 4
    assert figures.recall_at_10 == 3 / 4
    assert figures.mrr == pytest.approx((1 + 1 / 2 + 1 / 7 + 1 / 11) / 4)
    assert figures.ndcg_at_10 == pytest.approx((1 + 1 / np.log2(3) + 1 / 3) / 4)


@given(st.integers(0, 99))
def test_ndcg_is_that_of_scikit_learn(seed):
    generator = np.random.default_rng(seed)
    queries, targets = generator.standard_normal((6, 3)), generator.standard_normal((30, 3))
    lengths = np.linalg.norm(queries, axis=1)[:, None] * np.linalg.norm(targets, axis=1)
    truth = np.eye(6, 30)
    expected = ndcg_score(truth, queries @ targets.T / lengths, k=10)
    assert evaluate_matching(queries, targets).ndcg_at_10 == pytest.approx(expected)
