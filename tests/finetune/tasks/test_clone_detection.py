import numpy as np
import pytest

from finetune.evaluation.retrieval import evaluate_retrieval
from finetune.tasks.clone_detection import judge
from finetune.tasks.representations import Representation


def test_lost_programs_count_in_the_headline(collection):
    labels = [program.label for program in collection.lowered]
    vectors = np.eye(2)[[int(label == "max") for label in labels]]
    result = judge(collection, Representation("perfect", collection.lowered, vectors)).as_json()
    # Of four max programs one is lost: the others find two of three, the lost one none.
    assert result["map_at_r"] == pytest.approx((3 * 1 + 3 * 2 / 3) / 7)
    assert result["map_at_r_without_lost"] == 1
    assert result["queries"] == 7
    assert "curve" not in result
    low, high = result["map_at_r_interval"]
    assert low <= result["map_at_r"] <= high


def test_a_representation_that_reads_all_programs_loses_none(collection):
    vectors = np.random.default_rng(0).normal(size=(7, 3))
    result = judge(collection, Representation("any", collection.programs, vectors)).as_json()
    assert result["map_at_r"] == result["map_at_r_without_lost"]
    labels = [program.label for program in collection.programs]
    assert result["map_at_r"] == evaluate_retrieval(vectors, labels).map_at_r
