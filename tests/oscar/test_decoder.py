import pytest
import torch

from oscar.batching import collate
from oscar.decoder import MaskedTokenDecoder


@pytest.fixture
def setting(small_model, tokenizer, rows):
    model = small_model()
    torch.manual_seed(1)
    decoder = MaskedTokenDecoder(model.config).eval()
    return model, decoder, collate([tokenizer.encode(row) for row in rows], model.config)


def everything(batch):
    return batch.instruction.slots >= 0, batch.environment.slots >= 0


def test_logits_of_chosen_tokens_are_those_of_all_tokens(setting):
    model, decoder, batch = setting
    output = model(batch)
    real = everything(batch)
    full = decoder(model, output, batch, *real)
    generator = torch.Generator().manual_seed(0)
    chosen = [mask & (torch.rand(mask.shape, generator=generator) < 0.1) for mask in real]
    some = decoder(model, output, batch, *chosen)
    for stream in range(2):
        picked = full[stream][chosen[stream][real[stream]]]
        torch.testing.assert_close(some[stream], picked, atol=1e-4, rtol=1e-4)
    sizes = (model.config.instruction_vocab_size, model.config.environment_vocab_size)
    assert tuple(logits.shape[1] for logits in full) == sizes


def test_no_targets_give_no_logits(setting):
    model, decoder, batch = setting
    nothing = [torch.zeros_like(mask) for mask in everything(batch)]
    instruction, environment = decoder(model, model(batch), batch, *nothing)
    assert len(instruction) == len(environment) == 0


def test_the_function_level_reaches_the_guess(setting):
    model, decoder, batch = setting
    output = model(batch)
    before, _ = decoder(model, output, batch, *everything(batch))
    output.instruction_states[:, 0] += torch.randn(32)
    after, _ = decoder(model, output, batch, *everything(batch))
    changed = (after - before).abs().amax(-1) > 1e-6
    tokens = torch.zeros_like(batch.instruction.slots, dtype=torch.bool)
    tokens[batch.rows[:, 0] // model.config.group_size] = True  # groups that hold a first one
    assert torch.equal(changed, tokens[everything(batch)[0]])


def test_tokens_of_a_small_batch_can_be_learned_by_heart(setting):
    model, decoder, batch = setting
    targets = everything(batch)
    labels = [
        stream.tokens[mask]
        for stream, mask in zip((batch.instruction, batch.environment), targets, strict=True)
    ]
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
