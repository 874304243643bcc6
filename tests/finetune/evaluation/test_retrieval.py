import hypothesis
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import average_precision_score

from finetune.evaluation import similarity
from finetune.evaluation.retrieval import (
    average_precision_at_r,
    evaluate_retrieval,
    reciprocal_ranks,
    score_retrieval,
)


def precision_at(ranking, r):
    return average_precision_at_r(ranking[None], np.array([r]))[0]


def test_average_precision_at_r_by_hand():
    # R = 3: hits at ranks 1 and 3 of the first three; the hit at rank 5 lies beyond R.
    ranking = np.array([True, False, True, False, True])
    assert precision_at(ranking, 3) == pytest.approx((1 / 1 + 2 / 3) / 3)


def test_map_at_r_is_not_precision_at_r():
    late = np.array([False, True, True, False, False, True])
    assert precision_at(late, 3) == pytest.approx((1 / 2 + 2 / 3) / 3)
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


@given(arrays(float, (9, 3), elements=st.floats(-1, 1, width=32)), st.permutations(range(9)))
def test_figures_do_not_depend_on_the_vectors_lengths(vectors, scale):
    labels = list("aabbbccdd")
    scaled = vectors * (1 + np.array(scale))[:, None]
    assert evaluate_retrieval(vectors, labels) == evaluate_retrieval(scaled, labels)


@given(st.lists(st.booleans(), min_size=2, max_size=12).filter(any))
def test_agrees_with_scikit_learn_where_all_hits_come_within_r(ranking):
    relevant = np.array(ranking)
    ours = precision_at(relevant, int(relevant.sum()))
    theirs = average_precision_score(relevant, -np.arange(len(relevant)))
    if relevant[: relevant.sum()].all():
        assert ours == pytest.approx(theirs) == 1
    else:
        assert ours < theirs


def test_an_item_without_a_vector_is_a_query_that_fails_and_an_answer_never_found():
    vectors = np.array([[1, 0.1], [1, -0.1], [-0.1, 1], [0.1, 1]])
    scores = score_retrieval(vectors, ["a", "a", "b", "b"], missing=["a", "c"])
    # Both a's find one of the two others; the lost a finds none; a lone c asks nothing.
    assert scores.average_precision.tolist() == [1 / 2, 1 / 2, 1, 1, 0]
    assert scores.labels.tolist() == ["a", "a", "b", "b", "a"]
    assert scores.figures.map_at_r == pytest.approx(3 / 5)
    assert scores.figures.recall_at_1 == pytest.approx(4 / 5)


def test_rankings_of_several_lengths_of_r_at_once_are_those_one_by_one():
    generator = np.random.default_rng(0)
    relevant, r = generator.random((20, 15)) < 0.3, generator.integers(1, 30, 20)
    together = average_precision_at_r(relevant, r)
    assert together == pytest.approx(
        [precision_at(row, n) for row, n in zip(relevant, r, strict=True)]
    )
    ranks = [row.tolist().index(True) + 1 if row.any() else np.inf for row in relevant]
    assert reciprocal_ranks(relevant) == pytest.approx(1 / np.array(ranks))


def test_the_curve_has_precision_and_recall_of_the_first_neighbours():
    vectors = np.array([[1, 0.1], [1, -0.1], [-0.1, 1], [0.1, 1]])
    curve = score_retrieval(vectors, ["a", "a", "b", "b"], missing=["a"]).curve
    # The first neighbour is right for four of five queries; of an a's two others one is found.
    assert curve.x == pytest.approx(np.array([1 / 2 + 1 / 2 + 1 + 1] * 3) / 5)
    assert curve.y == pytest.approx([4 / 5, 4 / 5 / 2, 4 / 5 / 3])


def test_more_queries_than_a_block_holds(monkeypatch):
    generator = np.random.default_rng(0)
    vectors, labels = generator.normal(size=(50, 4)), list("abcde" * 10)
    whole = score_retrieval(vectors, labels, ["a"])
    monkeypatch.setattr(similarity, "QUERIES_AT_ONCE", 7)
    parts = score_retrieval(vectors, labels, ["a"])
    assert parts.figures == whole.figures
    assert parts.curve.y == pytest.approx(whole.curve.y)


def test_a_collection_of_which_nothing_lowered_scores_zero():
    assert evaluate_retrieval(np.empty((0, 2)), [], missing=["a", "a"]).map_at_r == 0


@given(st.integers(0, 99), st.lists(st.sampled_from("ab"), min_size=5, max_size=12))
def test_map_at_r_by_its_definition(seed, labels):
    hypothesis.assume(min(labels.count("a"), labels.count("b")) != 1)
    vectors = np.random.default_rng(seed).standard_normal((len(labels), 4))
    lengths = np.linalg.norm(vectors, axis=1)
    total = 0.0
    for query, label in enumerate(labels):
        others = [i for i in range(len(labels)) if i != query]
        others.sort(key=lambda i: -vectors[i] @ vectors[query] / lengths[i])
        r = labels.count(label) - 1
        hits = [labels[i] == label for i in others[:r]]
        total += sum(sum(hits[: k + 1]) / (k + 1) for k in range(r) if hits[k]) / r
    assert evaluate_retrieval(vectors, labels).map_at_r == pytest.approx(total / len(labels))
