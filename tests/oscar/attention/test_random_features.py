import torch
from hypothesis import given
from hypothesis import strategies as st

from oscar.attention.random_features import orthogonal_gaussian


@given(rows=st.integers(1, 20), dim=st.integers(1, 9), seed=st.integers(0, 9))
def test_rows_are_orthogonal_within_each_block(rows, dim, seed):
    for block in orthogonal_gaussian(rows, dim, seed).double().split(dim):
        gram = block @ block.T
        off_diagonal = gram - torch.diag(gram.diagonal())
        assert off_diagonal.abs().max() < 1e-4


def test_same_seed_same_rows_other_seed_other_rows():
    first = orthogonal_gaussian(16, 8, seed=3)
    assert torch.equal(first, orthogonal_gaussian(16, 8, seed=3))
    assert not torch.equal(first, orthogonal_gaussian(16, 8, seed=4))


def test_the_global_generator_is_left_alone():
    before = torch.get_rng_state()
    orthogonal_gaussian(16, 8, seed=3)
    assert torch.equal(before, torch.get_rng_state())


def test_entries_have_the_moments_of_a_standard_gaussian():
    rows = orthogonal_gaussian(16_000, 8, seed=0)
    assert rows.mean(0).abs().max() < 5 / len(rows) ** 0.5
    assert (rows.T @ rows / len(rows) - torch.eye(8)).abs().max() < 0.06
    # ‖ω‖² follows chi-squared with 8 degrees of freedom: variance 16.
    assert abs(rows.square().sum(1).var() - 16) < 1
