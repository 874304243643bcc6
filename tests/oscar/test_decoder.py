import pytest
import torch

from oscar.batching import collate
from oscar.decoder import MaskedTokenDecoder


@pytest.fixture
def setting(small_model, tokenizer, rows):
    """A model, its decoder and a batch in which two functions are alike."""

    def make(**overrides):
        model = small_model(**overrides)
        torch.manual_seed(1)
        decoder = MaskedTokenDecoder(model.config).eval()
        functions = [tokenizer.encode(row) for row in [*rows, rows[0]]]
        return model, decoder, collate(functions, model.config)

    return make


def everything(batch):
    return [
        torch.ones_like(s.rows, dtype=torch.bool) for s in (batch.instruction, batch.environment)
    ]


@pytest.mark.parametrize("layers", [1, 2])
def test_logits_of_chosen_tokens_are_those_of_all_tokens(setting, layers):
    model, decoder, batch = setting(decoder_layers=layers)
    output = model(batch)
    real = everything(batch)
    full = decoder(model, output, batch, *real)
    chosen = [torch.rand(mask.shape) < 0.1 for mask in real]
    some = decoder(model, output, batch, *chosen)
    for stream in range(2):
        picked = full[stream][chosen[stream]]
        torch.testing.assert_close(some[stream], picked, atol=1e-4, rtol=1e-4)
    sizes = (model.config.instruction_vocab_size, model.config.environment_vocab_size)
    assert tuple(logits.shape[1] for logits in full) == sizes


def test_copies_are_guessed_by_their_own_function(setting):
    """The last function is the first once more; its states are its own, and so are its guesses."""
    model, decoder, batch = setting()
    output = model(batch)
    first = int(batch.layout.lengths[0])
    before, _ = decoder(model, output, batch, *everything(batch))
    output.instruction_states[-first:] += torch.randn(32)
    after, _ = decoder(model, output, batch, *everything(batch))
    changed = (after - before).abs().amax(-1) > 1e-6
    owners = batch.instruction.owners
    assert torch.equal(changed, owners >= len(batch.layout.positions) - first)


def test_no_targets_give_no_logits_and_gradients_of_zero(setting):
    model, decoder, batch = setting()
    nothing = [torch.zeros_like(mask) for mask in everything(batch)]
    logits = decoder(model, model(batch), batch, *nothing)
    assert len(logits[0]) == len(logits[1]) == 0
    (logits[0].sum() + logits[1].sum()).backward()
    assert all((weight.grad == 0).all() for weight in decoder.parameters())


def test_the_function_level_reaches_the_guess(setting):
    model, decoder, batch = setting()
    output = model(batch)
    before, _ = decoder(model, output, batch, *everything(batch))
    firsts = batch.layout.lengths.cumsum(0) - batch.layout.lengths
    output.instruction_states[firsts] += torch.randn(32)
    after, _ = decoder(model, output, batch, *everything(batch))
    changed = (after - before).abs().amax(-1) > 1e-6
    groups = batch.groups[batch.instruction.owners]  # those that hold a first one
    assert torch.equal(changed, torch.isin(groups, batch.groups[firsts]))


@pytest.mark.parametrize(("streams", "read"), [("instructions", 0), ("environment", 1)])
def test_a_stream_that_is_not_read_has_no_logits(setting, streams, read):
    model, decoder, batch = setting(streams=streams)
    logits = decoder(model, model(batch), batch, *everything(batch))
    assert len(logits[1 - read]) == 0
    assert len(logits[read]) == len(everything(batch)[read])


def test_tokens_of_a_small_batch_can_be_learned_by_heart(setting):
    model, decoder, batch = setting()
    targets = everything(batch)
    labels = (batch.instruction.ids, batch.environment.ids)
    optimizer = torch.optim.Adam([*model.parameters(), *decoder.parameters()], lr=3e-3)
    losses = []
    for _ in range(30):
        logits = decoder(model, model(batch), batch, *targets)
        loss = sum(map(torch.nn.functional.cross_entropy, logits, labels))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.1 * losses[0]
