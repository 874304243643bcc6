"""The padded contender is the same model: it gives the loss and gradients of ours."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from benchmarks.parts.training_steps import Bert, Ours, Padded, parameters
from oscar.config import OscarConfig
from oscar.decoder import MaskedTokenDecoder
from oscar.encoded import EncodedFunction
from oscar.model import OscarModel
from pretrain.data.masking import IGNORED, mask_batch

CONFIG = OscarConfig.preset(
    "tiny",
    hidden_size=32,
    heads=2,
    ffn_size=48,
    position_size=4,
    n_features=16,
    instruction_vocab_size=30,
    environment_vocab_size=25,
    dropout=0.0,
)


def function(n: int, seed: int) -> EncodedFunction:
    """n instructions of up to 32 tokens, entries of up to 16, targets anywhere."""
    random = np.random.default_rng(seed)
    streams = [
        [random.integers(3, 25, random.integers(1, width + 1)).tolist() for _ in range(n)]
        for width in (32, 16)
    ]
    return EncodedFunction.of(*streams, random.integers(-3, n, (n, 3)).tolist())


@pytest.fixture
def batch():
    torch.set_num_threads(1)
    functions = [function(n, seed) for seed, n in enumerate((7, 1, 12))]
    functions.append(functions[0])
    return functions, mask_batch(functions, CONFIG, 0.2, range(4))


def test_where_nothing_is_cut_the_padded_model_gives_the_loss_and_gradients_of_ours(batch):
    """Relative positions would see the gaps between the windows."""
    torch.manual_seed(0)
    config = replace(CONFIG, rpe=None)
    model, decoder = OscarModel(config), MaskedTokenDecoder(config)
    gradients = []
    for contender in (Ours(model, decoder), Padded(model, decoder)):
        contender.zero_grad()
        loss = contender(contender.prepare(*batch))
        loss.backward()
        gradients.append([loss.detach(), *(w.grad.clone() for w in contender.parameters())])
    for ours, padded in zip(*gradients, strict=True):
        torch.testing.assert_close(ours, padded, atol=1e-5, rtol=1e-4)


def test_a_bert_reads_all_tokens_once_and_guesses_the_same(batch):
    pytest.importorskip("transformers")
    functions, masked = batch
    torch.manual_seed(0)
    ours = parameters(OscarModel(CONFIG)) + parameters(MaskedTokenDecoder(CONFIG))
    bert = Bert(CONFIG, ours)
    assert abs(parameters(bert) - ours) < 10_000
    ids, labels = bert.prepare(functions, masked)
    assert ids.shape[1] == 512
    read = ids.flatten()[: sum(f.size for f in functions)]
    streams = (masked.batch.instruction.ids, masked.batch.environment.ids + bert.shift)
    assert sorted(read.tolist()) == sorted(torch.cat(streams).tolist())
    first = functions[0].instruction.lengths[0]
    assert torch.equal(read[:first], streams[0][:first])
    assert torch.equal(read[first : first + 2], streams[1][:2])
    wanted = (masked.instruction_labels, masked.environment_labels)
    assert (labels != IGNORED).sum() == sum((label != IGNORED).sum() for label in wanted)
    assert bert((ids, labels)).isfinite()
