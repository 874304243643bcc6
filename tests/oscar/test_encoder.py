import torch

from oscar.batching import collate
from oscar.encoded import EncodedFunction
from oscar.encoder import PLACES, FunctionEncoder, TokenEncoder

STRAIGHT = [(i, i + 1, i + 1) for i in range(4)]


def test_an_entry_is_the_mean_of_its_own_tokens(small_config):
    encoder = TokenEncoder(20, small_config(group_size=3))
    entries = [[4, 5, 6], [], [7], [8]]
    batch = collate([EncodedFunction.of(entries, entries, STRAIGHT)], small_config(group_size=3))
    states, vectors = encoder(batch.instruction)
    assert vectors.shape == (4, 32)
    torch.testing.assert_close(vectors[0], states[:3].mean(0))
    assert (vectors[1] == 0).all()
    torch.testing.assert_close(vectors[2:], states[3:])


def test_copies_are_encoded_once_and_give_what_they_give_alone(small_config):
    """The plain way, every group for itself, is a batch of one function at a time."""
    encoder = TokenEncoder(20, small_config(group_size=2)).double()
    config = small_config(group_size=2)
    same, other = [[4, 5], [6]], [[7], [4, 4]]
    functions = [
        EncodedFunction.of(entries, entries, STRAIGHT[: len(entries)])
        for entries in (same + other, other, same, same + same)
    ]
    weights = torch.randn(12, 32, dtype=torch.float64)
    states, vectors = encoder(collate(functions, config).instruction)
    assert len(states) == 6
    (vectors * weights).sum().backward()
    together = [weight.grad.clone() for weight in encoder.parameters()]
    encoder.zero_grad()
    alone = torch.cat([encoder(collate([f], config).instruction)[1] for f in functions[:3]])
    last = [EncodedFunction.of(same, same, STRAIGHT[:2])] * 2
    alone = torch.cat([alone, *(encoder(collate([f], config).instruction)[1] for f in last)])
    torch.testing.assert_close(vectors, alone)
    (alone * weights).sum().backward()
    for gradient, weight in zip(together, encoder.parameters(), strict=True):
        torch.testing.assert_close(gradient, weight.grad)


def test_in_training_copies_share_their_dropout(small_config):
    config = small_config(dropout=0.5)
    encoder = TokenEncoder(20, config).train()
    twin = EncodedFunction.of([[4, 5]], [[4]], STRAIGHT[:1])
    _, vectors = encoder(collate([twin, twin], config).instruction)
    assert torch.equal(vectors[0], vectors[1])
    _, again = encoder(collate([twin, twin], config).instruction)
    assert not torch.equal(vectors, again)


def test_entries_may_have_more_tokens_than_there_are_places(small_config):
    encoder = TokenEncoder(20, small_config())
    long = EncodedFunction.of([[5] * 3 * PLACES], [[6]], STRAIGHT[:1])
    states, _ = encoder(collate([long], small_config()).instruction)
    assert states.shape == (3 * PLACES, 32)
    assert states.isfinite().all()


def bare(config):
    """A function encoder without layers, so that its input can be read off."""
    encoder = FunctionEncoder(config)
    encoder.layers.layers, encoder.layers.norm = torch.nn.ModuleList(), torch.nn.Identity()
    torch.nn.init.normal_(encoder.cls)
    torch.nn.init.normal_(encoder.stream_type)
    return encoder


def test_entries_and_cls_carry_their_stream(small_config, rows, tokenizer):
    encoder = bare(small_config())
    batch = collate([tokenizer.encode(row) for row in rows[1:3]], small_config())
    instruction, environment = torch.randn(2, 6, 32)
    cls, entries = encoder(torch.stack([instruction, environment], dim=1), batch.layout)
    for function in range(2):
        torch.testing.assert_close(cls[function], encoder.cls + encoder.stream_type)
    torch.testing.assert_close(entries[:, 0], instruction + encoder.stream_type[0])
    torch.testing.assert_close(entries[:, 1], environment + encoder.stream_type[1])


def test_instructions_are_hidden_whole_and_in_training_alone(small_config, rows, tokenizer):
    encoder = bare(small_config(entry_dropout=0.5))
    batch = collate([tokenizer.encode(rows[0])] * 40, small_config())
    vectors = torch.ones(len(batch.groups), 2, 32)
    encoder.stream_type.data.zero_()
    shown = encoder.train()(vectors, batch.layout)[1]
    hidden = (shown == 0).all(dim=2)
    assert torch.equal(hidden[:, 0], hidden[:, 1])
    assert torch.equal(shown[~hidden], vectors[~hidden])
    assert 0.3 < hidden.float().mean() < 0.7
    assert torch.equal(encoder.eval()(vectors, batch.layout)[1], vectors)


def test_layers_have_random_features_of_their_own(small_config):
    first, second = FunctionEncoder(small_config()).layers.layers
    assert not torch.equal(
        first.attention.feature_map.directions, second.attention.feature_map.directions
    )
