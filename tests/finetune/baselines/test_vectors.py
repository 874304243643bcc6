import numpy as np
import pytest

from finetune.baselines.bags import Bag
from finetune.baselines.vectors import discriminated, project, tfidf, whitened
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
    train, test = Bag.of(drawn(labels, 0)), Bag.of(drawn(labels, 1))
    projected = project(train.table(), labels, test.table(train.vocabulary))
    plain = tfidf().fit_transform(test.table())
    assert projected.shape == (100, 3)
    assert evaluate_retrieval(projected, labels).map_at_r > 0.95
    assert evaluate_retrieval(plain, labels).map_at_r < 0.9


def clouds(labels, seed):
    """Vectors that lie along one huge direction; two small ones of twenty tell the label."""
    generator = np.random.default_rng(seed)
    kinds = np.array(sorted(set(labels)))
    angles = 2 * np.pi * np.searchsorted(kinds, labels) / len(kinds)
    vectors = generator.normal(size=(len(labels), 20))
    vectors[:, 0] = 100
    vectors[:, 1:3] += 5 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return vectors * generator.uniform(1, 5, (len(labels), 1))


def test_projections_find_what_a_common_direction_hides():
    known, new = list("abcd") * 25, list("efghijk") * 20
    vectors = clouds(new, 1)
    white = whitened(vectors)
    learned = discriminated(clouds(known, 0), known, vectors)
    assert learned.shape == (140, 3)
    assert white.mean(axis=0) == pytest.approx(0, abs=1e-6)
    assert np.cov(white.T) == pytest.approx(np.eye(white.shape[1]), abs=1e-6)
    plain, best = (evaluate_retrieval(table, new).map_at_r for table in (vectors, learned))
    assert best > max(0.8, plain + 0.05)


def test_projections_do_not_see_how_long_vectors_are():
    labels = list("abc") * 10
    vectors, lengths = clouds(labels, 0), np.arange(1, 31)[:, None]
    assert whitened(vectors * lengths) == pytest.approx(whitened(vectors))
    expected = discriminated(vectors, labels, vectors)
    assert discriminated(vectors * lengths, labels, vectors) == pytest.approx(expected)


def test_words_unseen_in_training_are_left_out():
    labels = list("ab") * 10
    documents = drawn(labels, 0)
    bag = Bag.of(documents)
    more = Bag.of([*words, "never seen"] for words in documents)
    found, expected = (
        project(bag.table(), labels, asked.table(bag.vocabulary)) for asked in (more, bag)
    )
    assert found == pytest.approx(expected)


def test_tfidf_by_hand():
    # a stands in one of two documents, four times: (1 + ln 4) · (ln(3/2) + 1); b in both: 1.
    weight = (1 + np.log(4)) * (np.log(3 / 2) + 1)
    expected = np.array([weight, 1]) / np.hypot(weight, 1)
    found = tfidf().fit_transform(Bag.of([["a", "a", "a", "a", "b"], ["b"]]).table()).toarray()
    assert found[0] == pytest.approx(expected, rel=1e-5)
