import math

import pytest
import torch

from oscar.model import OscarModel
from pretrain.config import TrainingConfig
from pretrain.masking import IGNORED, mask_batch
from pretrain.moco import KeyQueue
from pretrain.objective import PretrainingModel


@pytest.fixture
def model(small):
    torch.manual_seed(0)
    return PretrainingModel(OscarModel(small), TrainingConfig(moco_weight=3.0))


def figures(model, batch, small, **arguments):
    masked = mask_batch(batch, small, 0.15, torch.Generator().manual_seed(0))
    count = len(batch.mask)
    keys = arguments.pop("keys", None)
    if keys is None:
        keys = model.encoder(batch).detach()
    queue = KeyQueue(8, model.encoder.dim)
    classes = torch.arange(count)
    queue.push(keys, classes)
    return masked, model(masked, keys, classes, queue)


def test_the_loss_is_the_weighted_sum_of_its_parts(model, batch_of, small):
    _, out = figures(model, batch_of([3] * 20, [2] * 9), small)
    parts = out["mlm_instruction"] + out["mlm_environment"] + 3.0 * out["contrast"]
    assert out["loss"].item() == pytest.approx(parts.item(), rel=1e-6)


def test_a_masked_token_costs_its_cross_entropy(model, batch_of, small):
    batch = batch_of([3] * 20, [2] * 9)
    masked, out = figures(model, batch, small)
    target = masked.environment_labels != IGNORED
    output = model.encoder.model(masked.batch)
    everywhere = torch.ones_like(masked.instruction_labels, dtype=torch.bool)
    _, logits = model.decoder(model.encoder.model, output, masked.batch, everywhere, target)
    labels = masked.environment_labels[target]
    costs = [-row.log_softmax(0)[label] for row, label in zip(logits, labels, strict=True)]
    assert out["mlm_environment"].item() == pytest.approx(sum(costs).item() / len(costs), rel=1e-5)


def test_an_untrained_model_guesses_at_chance(model, batch_of, small):
    _, out = figures(model, batch_of(*[[3] * 30] * 4), small)
    assert out["mlm_instruction"].item() == pytest.approx(math.log(30), abs=0.5)
    assert out["mlm_environment"].item() == pytest.approx(math.log(20), abs=0.5)


def test_functions_of_one_instruction_leave_no_entry_to_guess(model, batch_of, small):
    _, out = figures(model, batch_of([4], [2], [3]), small)
    assert out["mlm_environment"].item() == 0
    assert out["accuracy_environment"].item() == 0
    out["loss"].backward()
    assert all(p.grad is None or p.grad.isfinite().all() for p in model.parameters())


def test_every_weight_is_trained(model, batch_of, small):
    _, out = figures(model, batch_of([3] * 20, [2] * 9, [5] * 4), small)
    out["loss"].backward()
    assert [name for name, weight in model.named_parameters() if weight.grad is None] == []


def test_keys_are_unit_vectors_in_single_precision(model, batch_of):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        keys = model.encoder(batch_of([3] * 5, [2] * 9))
    assert keys.dtype == torch.float32
    assert torch.allclose(keys.norm(dim=1), torch.ones(2), atol=1e-5)
