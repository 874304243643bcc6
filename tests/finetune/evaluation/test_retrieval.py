import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import average_precision_score

from finetune.evaluation.retrieval import (
    average_precision_at_r,
    evaluate_matching,
    evaluate_retrieval,
    neighbours,
)


def test_average_precision_at_r_by_hand():
    # R = 3: hits at ranks 1 and 3 of the first three; the hit at rank 5 lies beyond R.
    ranking = np.array([True, False, True, False, True])
    assert average_precision_at_r(ranking) == pytest.approx((1 / 1 + 2 / 3) / 3)


def test_map_at_r_is_not_precision_at_r():
    late = np.array([False, True, True, False, False, True])
    assert average_precision_at_r(late) == pytest.approx((1 / 2 + 2 / 3) / 3)
    assert late[:3].mean() == pytest.approx(2 / 3)


def test_separated_labels_are_retrieved_perfectly():
    vectors = np.array([[1, 0.1], [1, -0.1], [-0.1, 1], [0.1, 1]])
    figures = evaluate_retrieval(vectors, ["a", "a", "b", "b"])
    assert (figures.map_at_r, figures.recall_at_1, figures.mrr, figures.queries) == (1, 1, 1, 4)


def test_a_label_that_occurs_once_asks_no_question():
    vectors = np.array([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0]])
    assert evaluate_retrieval(vectors, ["a", "a", "b"]).queries == 2
    with pytest.raises(ValueError, match="nothing to retrieve"):
        evaluate_retrieval(vectors, ["a", "b", "c"])


def test_labels_must_match_vectors():
    with pytest.raises(ValueError, match="2 labels for 3 vectors"):
        evaluate_retrieval(np.eye(3), ["a", "b"])


def test_ties_are_broken_by_index_and_the_query_is_left_out():
    assert neighbours(np.ones((4, 2))).tolist() == [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]


@given(arrays(float, (9, 3), elements=st.floats(-1, 1, width=32)), st.permutations(range(9)))
def test_figures_do_not_depend_on_the_vectors_lengths(vectors, scale):
    labels = list("aabbbccdd")
    scaled = vectors * (1 + np.array(scale))[:, None]
    assert evaluate_retrieval(vectors, labels) == evaluate_retrieval(scaled, labels)


@given(st.lists(st.booleans(), min_size=2, max_size=12).filter(any))
def test_agrees_with_scikit_learn_where_all_hits_come_within_r(ranking):
    relevant = np.array(ranking)
    ours = average_precision_at_r(relevant)
    theirs = average_precision_score(relevant, -np.arange(len(relevant)))
    if relevant[: relevant.sum()].all():
        assert ours == pytest.approx(theirs) == 1
    else:
        assert ours < theirs


def test_matching_looks_for_the_row_of_the_same_number():
    queries = np.array([[1, 0], [0, 1], [1, 1]])
    targets = np.array([[1, 0.1], [1, 0], [1, 0.9]])
    # Ranks of the right target: 2 (the second is nearer), 3, 1.
    figures = evaluate_matching(queries, targets)
    assert figures.recall_at_1 == pytest.approx(1 / 3)
    assert figures.mrr == pytest.approx((1 / 2 + 1 / 3 + 1) / 3)
    assert figures.pool == 3


def test_a_representation_that_makes_all_alike_matches_nothing():
    figures = evaluate_matching(np.ones((5, 2)), np.ones((5, 2)))
    assert (figures.recall_at_1, figures.mrr) == (0, 1 / 5)
