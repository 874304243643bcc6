import pytest
import torch

from oscar.pooling import FunctionPooling, mean_of_runs

LENGTHS = torch.tensor([3, 1, 2])


@pytest.fixture
def states():
    torch.manual_seed(0)
    return torch.randn(3, 2, 32), torch.randn(6, 2, 32)


def test_means_of_runs_worked_by_hand():
    x = torch.tensor([[1.0], [3.0], [5.0]])
    assert mean_of_runs(x, torch.tensor([2, 0, 1])).tolist() == [[2.0], [0.0], [5.0]]


def test_the_mean_is_that_of_the_entries_of_both_streams(small_config, states):
    pooled = FunctionPooling(small_config(pooling="mean"))(*states, LENGTHS)
    torch.testing.assert_close(pooled[0], states[1][:3].flatten(0, 1).mean(0))
    torch.testing.assert_close(pooled[1], states[1][3].mean(0))


def test_attention_starts_as_the_mean_and_is_a_softmax_over_the_entries(small_config, states):
    pooling = FunctionPooling(small_config(pooling="attention"))
    mean = FunctionPooling(small_config(pooling="mean"))
    torch.testing.assert_close(pooling(*states, LENGTHS), mean(*states, LENGTHS))
    torch.nn.init.normal_(pooling.weight)
    pooled = pooling(*states, LENGTHS)
    entries = states[1][4:].flatten(0, 1)
    weights = (entries @ pooling.weight).softmax(0)
    torch.testing.assert_close(pooled[2], weights @ entries)
    shifted = pooling(states[0], states[1] + 300 * pooling.weight.detach(), LENGTHS)
    assert shifted.isfinite().all()


@pytest.mark.parametrize(("sequence", "streams"), [("joint", [0]), ("separate", [0, 1])])
def test_first_is_the_state_of_cls(small_config, states, sequence, streams):
    pooling = FunctionPooling(small_config(pooling="first", sequence=sequence))
    assert torch.equal(pooling(*states, LENGTHS), states[0][:, streams].mean(1))
