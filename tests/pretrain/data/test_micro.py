from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from pretrain.data.micro import micro_batches


@st.composite
def steps(draw):
    ranks = draw(st.integers(1, 5))
    sizes = draw(st.lists(st.integers(1, 1000), min_size=ranks, max_size=40))
    return sizes, ranks


@given(step=steps(), budget=st.integers(1, 3000))
def test_each_function_is_read_once_within_the_budget_and_ranks_keep_step(step, budget):
    sizes, ranks = step
    dealt = micro_batches(sizes, budget, ranks)
    assert sorted(chain.from_iterable(chain.from_iterable(dealt))) == list(range(len(sizes)))
    assert len(dealt) == ranks
    assert len({len(parts) for parts in dealt}) == 1
    most = len(sizes) // ranks
    for part in chain.from_iterable(dealt):
        assert part == sorted(part)
        assert part
        fits = len(part) == 1 or sum(sizes[place] for place in part) <= budget
        # With fewer functions left than ranks, the last round cannot be opened.
        assert fits or len(dealt[0]) == most


def test_ranks_get_like_weights():
    sizes = [1 + (7 * i) % 100 for i in range(64)]
    dealt = micro_batches(sizes, 10_000, 4)
    weights = [sum(sizes[place] for place in parts[0]) for parts in dealt]
    assert [len(parts) for parts in dealt] == [1] * 4
    assert max(weights) - min(weights) <= max(sizes) / 4


def test_by_hand():
    assert micro_batches([5, 1, 1, 3], 5, 1) == [[[0], [1, 2, 3]]]
    assert micro_batches([5, 1, 1, 3], 100, 2) == [[[0]], [[1, 2, 3]]]
    assert micro_batches([9, 9], 1, 2) == [[[0]], [[1]]]
