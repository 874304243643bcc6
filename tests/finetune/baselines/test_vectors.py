import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from finetune.baselines.vectors import counter, project, square_roots, tfidf
from finetune.evaluation.retrieval import evaluate_retrieval


def drawn(labels, seed):
    """Documents of which three words in thirty tell the label, the others nothing."""
    generator = np.random.default_rng(seed)
    noise = [f"noise {i}" for i in range(200)]
    return [
        [*generator.choice(noise, 27), *[f"of {label} {i}" for i in range(3)]] for label in labels
    ]


def test_a_projection_learned_from_labels_finds_the_words_that_tell_them():
    labels = list("abcd") * 25
    test = drawn(labels, 1)
    projected = project(drawn(labels, 0), labels, test)
    plain = make_pipeline(counter(), tfidf()).fit_transform(test)
    assert projected.shape == (100, 3)
    assert evaluate_retrieval(projected, labels).map_at_r > 0.95
    assert evaluate_retrieval(plain, labels).map_at_r < 0.9


def test_words_unseen_in_training_are_left_out():
    labels = list("ab") * 10
    documents = drawn(labels, 0)
    more = [[*words, "never seen"] for words in documents]
    assert project(documents, labels, more) == pytest.approx(project(documents, labels, documents))


def test_square_roots_and_tfidf_by_hand():
    documents = [["a", "a", "a", "a", "b"], ["b"]]
    assert make_pipeline(counter(), square_roots()).fit_transform(documents).toarray() == (
        pytest.approx(np.array([[2, 1], [0, 1]]))
    )
    # a stands in one of two documents, four times: (1 + ln 4) · (ln(3/2) + 1); b in both: 1.
    weight = (1 + np.log(4)) * (np.log(3 / 2) + 1)
    expected = np.array([weight, 1]) / np.hypot(weight, 1)
    found = make_pipeline(counter(), tfidf()).fit_transform(documents).toarray()
    assert found[0] == pytest.approx(expected, rel=1e-5)
