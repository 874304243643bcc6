import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pretrain.data.sampling import PairSampler

sizes = st.lists(st.integers(1, 4), min_size=1, max_size=12)


def groups_of(views: list[int]) -> np.ndarray:
    """Group numbers of rows in a shuffled order, group g with views[g] rows."""
    rows = np.repeat(np.arange(len(views)), views)
    return np.random.default_rng(0).permutation(rows)


def sampler_of(groups: np.ndarray, batch_size: int, seed: int) -> PairSampler:
    return PairSampler(groups, np.ones(len(groups), bool), batch_size, seed)


@given(views=sizes, seed=st.integers(0, 2**31), epoch=st.integers(0, 3), data=st.data())
def test_every_epoch_deals_each_group_once_with_views_of_its_own(views, seed, epoch, data):
    groups = groups_of(views)
    kept = data.draw(st.sets(st.sampled_from(range(len(views))), min_size=1))
    sampler = PairSampler(groups, np.isin(groups, list(kept)), 3, seed)
    start = epoch * len(kept)
    pairs = [sampler.pair(position) for position in range(start, start + len(kept))]
    assert sorted(pair.group for pair in pairs) == sorted(kept)
    for pair in pairs:
        assert groups[pair.query] == groups[pair.key] == pair.group
        assert (pair.query == pair.key) == (views[pair.group] == 1)


def test_a_step_depends_on_nothing_that_came_before_and_follows_the_last():
    groups = groups_of([2] * 10)
    walked = sampler_of(groups, 4, 1)
    steps = [walked.step(number) for number in range(20)]
    assert sampler_of(groups, 4, 1).step(19) == steps[-1]
    assert [p for step in steps for p in step] == [walked.pair(i) for i in range(80)]


@pytest.mark.parametrize("other", [{"seed": 2}, {"epoch": 1}])
def test_seed_and_epoch_change_order_and_views(other):
    groups = groups_of([4] * 50)
    first = [sampler_of(groups, 1, 1).pair(i) for i in range(50)]
    start = 50 * other.get("epoch", 0)
    second = [sampler_of(groups, 1, other.get("seed", 1)).pair(start + i) for i in range(50)]
    assert [pair.group for pair in first] != [pair.group for pair in second]
    views = dict((pair.group, (pair.query, pair.key)) for pair in first)
    assert any(views[pair.group] != (pair.query, pair.key) for pair in second)
