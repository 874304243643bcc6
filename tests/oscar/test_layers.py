import pytest
import torch

from oscar.attention import FreeBias
from oscar.layers import make_attention, token_stack
from oscar.packing import Packing


def rows(lengths, width=32):
    return torch.randn(sum(lengths), width, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("lengths", [[5, 1, 9, 3, 3, 7], [4], [2, 6], [1, 1, 1, 1, 1], [300, 2]])
def test_each_sequence_is_what_it_is_alone(small_config, lengths):
    layers = token_stack(2, small_config())
    x = rows(lengths)
    together = layers(x, Packing.of(lengths)).split(lengths)
    for part, states in zip(x.split(lengths), together, strict=True):
        torch.testing.assert_close(states, layers(part, Packing.of([len(part)])))


def test_a_stack_is_attention_and_feed_forward_over_one_padded_batch(small_config):
    """The dense reference: every layer over (batch, n, H) with a mask."""
    layers = token_stack(2, small_config())
    lengths = [5, 1, 9, 3]
    x = rows(lengths)
    padded = torch.nn.utils.rnn.pad_sequence(x.split(lengths), batch_first=True)
    mask = torch.arange(9) < torch.tensor(lengths)[:, None]
    for layer in layers.layers:
        padded = padded + layer.attention(layer.attention_norm(padded), mask)
        padded = padded + layer.feed_forward(padded)
    torch.testing.assert_close(layers(x, Packing.of(lengths)), layers.norm(padded)[mask])


def test_no_sequences_give_no_states_and_gradients_of_zero(small_config):
    layers = token_stack(1, small_config())
    states = layers(torch.empty(0, 32), Packing.of([]))
    assert states.shape == (0, 32)
    states.sum().backward()
    assert all((weight.grad == 0).all() for weight in layers.parameters())


def test_chosen_rows_are_those_of_all(small_config):
    layers = token_stack(2, small_config())
    lengths, chosen = [5, 8], torch.tensor([1, 4, 11])
    x, packing = rows(lengths), Packing.of(lengths)
    some = layers(x, packing, chosen=chosen)
    torch.testing.assert_close(some, layers(x, packing)[chosen])


@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_checkpointing_changes_no_gradient(small_config, dropout):
    layers = token_stack(2, small_config(dropout=dropout)).train()
    lengths = [5, 1, 9]
    gradients = []
    for layers.checkpointing in (False, True):
        torch.manual_seed(3)
        x = rows(lengths).requires_grad_()
        layers.zero_grad()
        layers(x, Packing.of(lengths)).square().sum().backward()
        gradients.append([x.grad, *(weight.grad for weight in layers.parameters())])
    for plain, checkpointed in zip(*gradients, strict=True):
        torch.testing.assert_close(plain, checkpointed)


def test_attention_is_built_by_name(small_config):
    softmax = make_attention("softmax", small_config(), 0)
    assert not hasattr(softmax, "feature_map")
    config = small_config(rpe="kerple", algorithm="fft", n_features=24)
    kernelized = make_attention("favor+", config, 0)
    assert (kernelized.algorithm, kernelized.feature_map.n_features) == ("fft", 24)
    free = make_attention("nprf", small_config(rpe="free", max_tokens=256), 0, longest=3000)
    assert isinstance(free.rpe, FreeBias)
    assert free.rpe.bias(torch.tensor([-2999, 2999])).shape == (2, 2)
