import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pretrain.sampling import PairSampler

sizes = st.lists(st.integers(1, 4), min_size=1, max_size=12)


def groups_of(views: list[int]) -> np.ndarray:
    """Group numbers of rows in a shuffled order, group g with views[g] rows."""
    rows = np.repeat(np.arange(len(views)), views)
    return np.random.default_rng(0).permutation(rows)


@given(views=sizes, seed=st.integers(0, 2**31), epoch=st.integers(0, 3))
def test_every_epoch_deals_each_group_once_with_views_of_its_own(views, seed, epoch):
    groups = groups_of(views)
    sampler = PairSampler(groups, 3, seed)
    start = epoch * len(views)
    pairs = [sampler.pair(position) for position in range(start, start + len(views))]
    assert sorted(pair.group for pair in pairs) == list(range(len(views)))
    for pair in pairs:
        assert groups[pair.query] == groups[pair.key] == pair.group
        assert (pair.query == pair.key) == (views[pair.group] == 1)


@given(views=sizes, step=st.integers(0, 50), size=st.integers(1, 4), batch=st.integers(1, 5))
def test_ranks_share_what_one_rank_would_get_alone(views, step, size, batch):
    groups = groups_of(views)
    shared = PairSampler(groups, batch, 7)
    parts = [shared.batch(step, rank, size) for rank in range(size)]
    alone = PairSampler(groups, batch * size, 7).batch(step)
    assert [pair for part in parts for pair in part] == alone


def test_a_batch_depends_on_nothing_that_came_before():
    groups = groups_of([2] * 10)
    walked = PairSampler(groups, 4, 1)
    for step in range(20):
        last = walked.batch(step)
    assert PairSampler(groups, 4, 1).batch(19) == last


@pytest.mark.parametrize("other", [{"seed": 2}, {"epoch": 1}])
def test_seed_and_epoch_change_order_and_views(other):
    groups = groups_of([4] * 50)
    first = [PairSampler(groups, 1, 1).pair(i) for i in range(50)]
    start = 50 * other.get("epoch", 0)
    second = [PairSampler(groups, 1, other.get("seed", 1)).pair(start + i) for i in range(50)]
    assert [pair.group for pair in first] != [pair.group for pair in second]
    views = dict((pair.group, (pair.query, pair.key)) for pair in first)
    assert any(views[pair.group] != (pair.query, pair.key) for pair in second)
