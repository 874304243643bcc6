import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finetune.evaluation.pairs import best_threshold, evaluate_clone_pairs, evaluate_pairs

SIMILARITIES = np.array([0.9, 0.8, 0.7, 0.6, 0.1])
TRUE = np.array([True, False, True, True, False])


def test_figures_by_hand():
    # At 0.7: three are called true, two are; of three true ones two are called.
    figures = evaluate_pairs(SIMILARITIES, TRUE, 0.7)
    assert figures.precision == figures.recall == figures.f1 == pytest.approx(2 / 3)
    assert figures.pairs == 5


def test_the_best_threshold_by_hand():
    # At 0.6, F1 is 2 · (3/4) · 1 / (7/4) = 6/7, higher than anywhere else.
    assert best_threshold(SIMILARITIES, TRUE) == 0.6


@settings(max_examples=25)
@given(st.integers(0, 999))
def test_no_threshold_is_better_than_the_best(seed):
    generator = np.random.default_rng(seed)
    similarities, true = generator.random(12).round(1), generator.random(12) < 0.5
    true[0] = True
    best = evaluate_pairs(similarities, true, best_threshold(similarities, true)).f1
    assert best >= max(evaluate_pairs(similarities, true, t).f1 for t in similarities) - 1e-12


def test_clones_that_lie_together_are_told_from_others():
    labels = [str(i % 8) for i in range(160)]
    vectors = np.eye(8)[np.arange(160) % 8] + np.random.default_rng(0).normal(0, 0.05, (160, 8))
    figures = evaluate_clone_pairs(vectors, labels)
    assert figures.f1 > 0.95
    assert 0.1 < figures.threshold < 0.99


def test_vectors_that_say_nothing_are_called_clones_by_chance():
    labels = [str(i % 8) for i in range(400)]
    vectors = np.random.default_rng(0).normal(size=(400, 8))
    figures = evaluate_clone_pairs(vectors, labels)
    # Within a half a quarter or so of the pairs are true: calling all of them so is the best.
    assert figures.precision < 0.4


def test_there_must_be_labels_in_both_halves():
    assert evaluate_clone_pairs(np.eye(4), list("aaaa")) is None
