import numpy as np
import pytest

from finetune.evaluation.curves import POINTS, Curve, recall_by_size


def test_small_and_large_queries_are_told_apart():
    sizes = np.array([100] * 20 + [5] * 20)
    ranks = np.array([1] * 15 + [3] * 5 + [2] * 20)
    curve = recall_by_size(sizes, ranks)
    assert (curve.x.tolist(), curve.y.tolist()) == ([5, 100], [0, 0.75])
    assert recall_by_size(sizes, ranks, k=2).y.tolist() == [1, 0.75]


def test_few_queries_are_one_part():
    curve = recall_by_size(np.array([1, 9, 50]), np.array([1, 1, np.inf]))
    assert (curve.x.tolist(), curve.y.tolist()) == ([9], [pytest.approx(2 / 3)])


@pytest.mark.parametrize("length", [1, 2, 50, 7999])
def test_a_thinned_curve_keeps_its_ends(length):
    curve = Curve(np.arange(length), np.arange(length) / length).thinned()
    assert len(curve.x) == len(curve.y) <= POINTS
    assert (curve.x[0], curve.x[-1]) == (0, length - 1)
    assert (np.diff(curve.x) > 0).all()
