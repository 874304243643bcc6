import pytest
import torch

from oscar.layers import TokenLayers, by_length


def inputs(lengths, width=32):
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(len(lengths), max([*lengths, 1]), width, generator=generator)
    return x, torch.arange(x.shape[1]) < torch.tensor(lengths, dtype=torch.int64)[:, None]


@pytest.mark.parametrize("lengths", [[5, 1, 9, 3, 3, 7], [4], [2, 6], [1, 1, 1, 1, 1]])
def test_each_group_is_what_it_is_alone(small_config, lengths):
    layers = TokenLayers(2, small_config())
    x, mask = inputs(lengths)
    together = layers(x, mask)
    for row, n in enumerate(lengths):
        alone = layers(x[row : row + 1, :n], mask[row : row + 1, :n])
        torch.testing.assert_close(together[row, :n], alone[0], atol=1e-5, rtol=1e-5)
        assert (together[row, n:] == 0).all()


def test_what_stands_in_the_padding_changes_nothing(small_config):
    layers = TokenLayers(1, small_config())
    x, mask = inputs([5, 2, 4])
    noisy = torch.where(mask[..., None], x, 100 * torch.ones_like(x))
    torch.testing.assert_close(layers(noisy, mask), layers(x, mask))


def test_no_groups_give_no_states(small_config):
    layers = TokenLayers(1, small_config())
    assert layers(*inputs([])).shape == (0, 1, 32)


def test_sequences_of_all_lengths_keep_their_place_and_their_inputs():
    lengths = [3, 8, 1, 5, 2, 8, 4]
    mask = torch.arange(8) < torch.tensor(lengths)[:, None]
    x = torch.arange(56.0).reshape(7, 8, 1)
    widths = []

    def run(real, first, second):
        widths.append(real.shape[1])
        assert first.shape == second.shape == (*real.shape, 1)
        return first + second

    result = by_length(run, mask, x, 2 * x)
    assert torch.equal(result, 3 * x * mask[..., None])
    assert widths == [2, 4, 8, 8]
