from collections import Counter

import numpy as np
import pytest

from finetune.training.sampler import LabelSampler

LABELS = ["a"] * 5 + ["b"] * 4 + ["c"] * 3 + ["d"]


def test_a_batch_has_some_items_of_each_of_some_labels():
    sampler = LabelSampler(LABELS, 3, 2, seed=0)
    for step in range(50):
        labels = [LABELS[item] for item in sampler(step)]
        assert len(labels) == sampler.batch_size == 6
        assert list(Counter(labels).values()) == [2, 2, 2]
        assert labels[0::2] == labels[1::2]


def test_items_come_twice_only_where_a_label_has_too_few():
    sampler = LabelSampler(LABELS, 4, 3, seed=1)
    drawn = Counter(int(item) for item in sampler(0))
    assert drawn.pop(12) == 3  # the one item of d
    assert set(drawn.values()) == {1}


def test_all_items_are_dealt_in_time_and_a_step_is_a_function_of_its_number():
    sampler = LabelSampler(LABELS, 2, 2, seed=2)
    assert {int(item) for step in range(200) for item in sampler(step)} == set(range(13))
    assert (sampler(7) == LabelSampler(LABELS, 2, 2, seed=2)(7)).all()
    assert any((sampler(s) != LabelSampler(LABELS, 2, 2, seed=3)(s)).any() for s in range(5))


def test_labels_that_are_alike_come_together():
    sampler = LabelSampler(LABELS, 2, 1, seed=0)
    likeness = np.eye(4)
    likeness[0, 3] = likeness[3, 0] = likeness[1, 2] = likeness[2, 1] = 0.9
    sampler.use_likeness(likeness)
    pairs = {frozenset(LABELS[item] for item in sampler(step)) for step in range(40)}
    assert pairs == {frozenset("ad"), frozenset("bc")}


def test_one_label_is_nothing_to_tell():
    with pytest.raises(ValueError, match="nothing to tell"):
        LabelSampler(["a", "a"], 2, 2, 0)
