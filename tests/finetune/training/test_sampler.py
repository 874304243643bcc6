from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from finetune.training.sampler import EpochSampler, LabelSampler
from static_analysis import OscarError

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


@pytest.mark.parametrize(
    ("labels", "said"), [(["a", "a"], "have the label 'a'"), ([], "is nothing")]
)
def test_fewer_than_two_labels_are_one_clear_line(labels, said):
    with pytest.raises(OscarError, match=f"{said}: learning to tell labels apart needs two"):
        LabelSampler(labels, 2, 2, 0)


@given(count=st.integers(1, 40), size=st.integers(1, 12), seed=st.integers(0, 9))
def test_an_epoch_deals_every_item_once_but_for_the_odd_ones(count, size, seed):
    sampler = EpochSampler(count, size, seed)
    size = min(size, count)
    steps = [sampler(step) for step in range(2 * (count // size))]
    assert all(len(set(step)) == size for step in steps)
    for epoch in (steps[: count // size], steps[count // size :]):
        dealt = Counter(np.concatenate(epoch).tolist())
        assert max(dealt.values()) == 1
        assert len(dealt) == count - count % size
    assert (EpochSampler(count, size, seed)(1) == sampler(1)).all()
