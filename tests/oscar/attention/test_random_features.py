import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from oscar.attention.random_features import draw_directions
from static_analysis.errors import OscarError


def off_diagonal(block):
    gram = block.double() @ block.double().T
    return (gram - torch.diag(gram.diagonal())).abs()


@given(rows=st.integers(1, 20), dim=st.integers(1, 9), seed=st.integers(0, 9))
def test_rows_are_orthogonal_within_each_block(rows, dim, seed):
    for block in draw_directions(rows, dim, seed).split(dim):
        assert off_diagonal(block).max() < 1e-4


@given(rows=st.integers(1, 20), power=st.integers(0, 4), seed=st.integers(0, 9))
def test_hadamard_rows_are_orthogonal_when_the_length_is_a_power_of_two(rows, power, seed):
    for block in draw_directions(rows, 2**power, seed, "hadamard").split(2**power):
        assert off_diagonal(block).max() < 1e-4


@pytest.mark.parametrize("kind", ["orthogonal", "hadamard", "independent"])
def test_blocks_are_independent_of_each_other(kind):
    first, second = draw_directions(32, 16, 0, kind).split(16)
    assert off_diagonal(torch.cat([first, second]))[:16, 16:].max() > 0.1


@pytest.mark.parametrize("kind", ["orthogonal", "hadamard", "independent"])
def test_same_seed_same_rows_other_seed_other_rows(kind):
    first = draw_directions(16, 8, 3, kind)
    assert torch.equal(first, draw_directions(16, 8, 3, kind))
    assert not torch.equal(first, draw_directions(16, 8, 4, kind))


def test_the_global_generator_is_left_alone():
    before = torch.get_rng_state()
    for kind in ("orthogonal", "hadamard", "independent"):
        draw_directions(16, 8, 3, kind)
    assert torch.equal(before, torch.get_rng_state())


@pytest.mark.parametrize("kind", ["orthogonal", "hadamard", "independent"])
@pytest.mark.parametrize("dim", [8, 6])
def test_entries_have_the_moments_of_a_standard_gaussian(kind, dim):
    rows = draw_directions(16_000, dim, 0, kind)
    assert rows.shape == (16_000, dim)
    assert rows.mean(0).abs().max() < 5 / len(rows) ** 0.5
    assert (rows.T @ rows / len(rows) - torch.eye(dim)).abs().max() < 0.06
    # ‖ω‖² follows chi-squared with dim degrees of freedom: variance 2·dim.
    assert rows.square().sum(1).var() == pytest.approx(2 * dim, rel=0.07)


@pytest.mark.parametrize("kind", ["orthogonal", "hadamard"])
def test_square_root_norms_are_all_alike(kind):
    rows = draw_directions(19, 8, 0, kind, norms="sqrt")
    torch.testing.assert_close(rows.norm(dim=1), torch.full((19,), 8**0.5))


def test_what_there_is_not_is_refused():
    with pytest.raises(OscarError, match="kind of directions 'sobol'"):
        draw_directions(2, 2, 0, "sobol")
    with pytest.raises(OscarError, match="norm of directions 'one'"):
        draw_directions(2, 2, 0, norms="one")
