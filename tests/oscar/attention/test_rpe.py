import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from oscar.attention import RELATIVE_BIASES, ClippedBias, make_relative_bias
from static_analysis.errors import OscarError

NAMES = [name for name in RELATIVE_BIASES if name is not None]


@settings(deadline=None)
@given(
    name=st.sampled_from(NAMES),
    offsets=st.lists(st.integers(-900, 900), max_size=8),
    heads=st.integers(1, 3),
)
def test_bias_is_one_value_a_head_and_offset(name, offsets, heads):
    rpe = make_relative_bias(name, heads)
    bias = rpe.bias(torch.tensor(offsets, dtype=torch.int64))
    assert bias.shape == (heads, len(offsets))
    for place, offset in enumerate(offsets):
        torch.testing.assert_close(bias[:, place], rpe.bias(torch.tensor([offset]))[:, 0])


@pytest.mark.parametrize("name", NAMES)
def test_the_matrix_holds_the_bias_of_key_minus_query(name):
    rpe = make_relative_bias(name, 2)
    matrix = rpe.matrix(5)
    assert matrix.shape == (2, 5, 5)
    for i in range(5):
        for j in range(5):
            torch.testing.assert_close(matrix[:, i, j], rpe.bias(torch.tensor([j - i]))[:, 0])


@pytest.mark.parametrize("name", NAMES)
def test_biases_can_be_learned_and_saved(name):
    rpe, other = make_relative_bias(name, 3).double(), make_relative_bias(name, 3).double()
    rpe.bias(torch.arange(-200, 201)).square().sum().backward()
    for parameter in rpe.parameters():
        assert parameter.grad.isfinite().all()
        assert (parameter.grad != 0).any()
    other.load_state_dict(rpe.state_dict())
    assert torch.equal(other.matrix(9), rpe.matrix(9))


def test_only_causal_t5_spends_all_its_buckets_on_the_past():
    assert make_relative_bias("t5", 1, causal=True).causal
    assert not make_relative_bias("t5", 1).causal


def test_ready_made_bias_passes_and_unknown_name_is_refused():
    rpe = ClippedBias(2, window=3)
    assert make_relative_bias(rpe, 2) is rpe
    assert make_relative_bias(None, 2) is None
    with pytest.raises(OscarError, match="'rotary': choose one of t5, clipped, free, alibi,"):
        make_relative_bias("rotary", 2)
