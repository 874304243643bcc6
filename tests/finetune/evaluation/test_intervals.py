import numpy as np
import pytest

from finetune.evaluation.intervals import confidence_interval


def test_the_interval_of_a_mean_is_about_two_standard_errors_wide():
    values = np.random.default_rng(0).random(400)
    low, high = confidence_interval(values)
    error = values.std() / 20
    assert (low, high) == pytest.approx(
        (values.mean() - 1.96 * error, values.mean() + 1.96 * error), abs=0.3 * error
    )


def test_values_that_come_in_clusters_are_less_sure_than_their_number_says():
    clusters = np.repeat(np.arange(20), 50)
    values = np.random.default_rng(0).random(20)[clusters]
    low, high = confidence_interval(values)
    clustered_low, clustered_high = confidence_interval(values, clusters)
    # 50 equal values tell no more than one: the error is √50 times as large.
    assert (clustered_high - clustered_low) / (high - low) == pytest.approx(50**0.5, rel=0.2)


def test_clusters_count_by_their_size():
    values, clusters = np.array([1.0, 1, 1, 0]), np.array(["a", "a", "a", "b"])
    low, high = confidence_interval(values, clusters)
    assert (low, high) == (0, 1)


def test_the_same_seed_gives_the_same_interval():
    values = np.random.default_rng(1).random(50)
    assert confidence_interval(values, seed=3) == confidence_interval(values, seed=3)
    assert confidence_interval(values, seed=3) != confidence_interval(values, seed=4)


def test_a_single_value_has_no_spread():
    assert confidence_interval(np.array([0.5])) == (0.5, 0.5)
