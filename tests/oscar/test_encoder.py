import torch

from oscar.batching import StreamBatch, collate
from oscar.encoder import FunctionEncoder, TokenEncoder, _places


def test_an_entry_is_the_mean_of_its_own_tokens(small_config):
    torch.manual_seed(0)
    encoder = TokenEncoder(20, small_config(group_size=3))
    stream = StreamBatch(
        torch.tensor([[4, 5, 6, 7], [8, 0, 0, 0]]),
        torch.tensor([[0, 0, 0, 2], [0, -1, -1, -1]]),
    )
    states, entries = encoder(stream)
    assert entries.shape == (6, 32)
    torch.testing.assert_close(entries[0], states[0, :3].mean(0))
    torch.testing.assert_close(entries[2], states[0, 3])
    torch.testing.assert_close(entries[3], states[1, 0])
    assert (entries[[1, 4, 5]] == 0).all()


def test_entries_of_both_streams_alternate_behind_the_two_cls(small_config, rows, tokenizer):
    """Without layers the sequence can be read off."""
    config = small_config()
    encoder = FunctionEncoder(config)
    encoder.layers, encoder.norm = torch.nn.ModuleList(), torch.nn.Identity()
    torch.nn.init.normal_(encoder.cls)
    torch.nn.init.normal_(encoder.stream_type)
    batch = collate([tokenizer.encode(rows[2])], config)
    instruction, environment = torch.randn(2, 1, 5, 32, generator=torch.Generator().manual_seed(0))
    states = encoder(instruction, environment, batch)
    assert states.shape == (1, 12, 32)
    torch.testing.assert_close(states[0, :2], encoder.cls + encoder.stream_type)
    torch.testing.assert_close(states[:, 2::2], instruction + encoder.stream_type[0])
    torch.testing.assert_close(states[:, 3::2], environment + encoder.stream_type[1])


def test_layers_have_random_features_of_their_own(small_config):
    first, second = FunctionEncoder(small_config()).layers
    assert not torch.equal(
        first.attention.feature_map.directions, second.attention.feature_map.directions
    )


def test_places_count_from_the_first_token_of_each_entry():
    slots = torch.tensor([[0, 0, 0, 1, 2, 2], [0, 1, 1, -1, -1, -1]])
    places = [[0, 1, 2, 0, 0, 1], [0, 0, 1, 0, 1, 2]]
    assert _places(slots).tolist() == places
