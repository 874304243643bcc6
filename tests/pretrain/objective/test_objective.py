import math

import pytest
import torch

from oscar.batching import collate
from pretrain.config import CHOICES, TrainingConfig
from pretrain.data.batches import PairBatch
from pretrain.data.masking import IGNORED, mask_batch
from pretrain.objective.objective import build_objective

WEIGHTS = {"instruction_weight": 0.5, "environment_weight": 2.0, "contrast_weight": 3.0}
LENGTHS = ([3] * 20, [2] * 9, [5] * 4)


@pytest.fixture
def model_of(small):
    """Builds a model with the given way of contrast and head."""

    def build(contrast: str = "moco", head: str = "none"):
        torch.manual_seed(0)
        config = TrainingConfig(contrast=contrast, head=head, queue_size=8, **WEIGHTS)
        return build_objective(small, config, torch.device("cpu"))

    return build


@pytest.fixture
def step_of(encode, small):
    """Builds the micro-batches of a step from the lengths of its functions' instructions."""

    def build(*lengths, sizes=None):
        functions = [encode(list(part)) for part in lengths]
        masked = [mask_batch([f], small, 0.15, [seed]) for seed, f in enumerate(functions)]
        labels = [(m.instruction_labels, m.environment_labels) for m in masked]
        guessed = [
            sum((part != IGNORED).sum() for part in stream) for stream in zip(*labels, strict=True)
        ]
        totals = torch.tensor([*guessed, len(functions)], dtype=torch.float32)
        batches = []
        for places in torch.arange(len(functions)).split(sizes or [len(functions)]):
            part = [functions[place] for place in places]
            query = mask_batch(part, small, 0.15, places.tolist())
            batches.append(PairBatch(query, collate(part, small), places, places, totals))
        return batches

    return build


def figures(model, batches):
    count = int(batches[0].totals[2])
    model.contrast.begin(batches, torch.arange(count))
    return [model(batch) for batch in batches]


def test_the_loss_is_the_weighted_sum_of_its_parts(model_of, step_of):
    (out,) = figures(model_of(), step_of(*LENGTHS))
    parts = 0.5 * out["mlm_instruction"] + 2.0 * out["mlm_environment"] + 3.0 * out["contrast"]
    assert out["loss"].item() == pytest.approx(parts.item(), rel=1e-6)


@pytest.mark.parametrize("contrast", CHOICES["contrast"])
def test_micro_batches_add_up_to_the_figures_and_gradients_of_the_step(contrast, model_of, step_of):
    results = []
    for sizes in ([3], [1, 2]):
        model = model_of(contrast)
        outs = figures(model, step_of(*LENGTHS, sizes=sizes))
        sum(out["loss"] for out in outs).backward()
        results.append(
            {name: sum(out[name].item() for out in outs) for name in outs[0]}
            | {name: weight.grad.norm().item() for name, weight in model.named_parameters()}
        )
    assert results[0] == pytest.approx(results[1], rel=1e-3, abs=1e-6)


def test_a_masked_token_costs_its_cross_entropy(model_of, step_of):
    model, (batch,) = model_of(), step_of(*LENGTHS)
    (out,) = figures(model, [batch])
    target = batch.query.environment_labels != IGNORED
    read = model.encoder.model(batch.query.batch)
    everywhere = torch.ones_like(batch.query.instruction_labels, dtype=torch.bool)
    _, logits = model.decoder(model.encoder.model, read, batch.query.batch, everywhere, target)
    labels = batch.query.environment_labels[target]
    costs = [-row.log_softmax(0)[label] for row, label in zip(logits, labels, strict=True)]
    assert out["mlm_environment"].item() == pytest.approx(sum(costs).item() / len(costs), rel=1e-5)


def test_an_untrained_model_guesses_at_chance(model_of, step_of):
    (out,) = figures(model_of(), step_of(*[[3] * 30] * 4))
    assert out["mlm_instruction"].item() == pytest.approx(math.log(30), abs=0.5)
    assert out["mlm_environment"].item() == pytest.approx(math.log(20), abs=0.5)


def test_functions_of_one_instruction_leave_no_entry_to_guess(model_of, step_of):
    model = model_of()
    (out,) = figures(model, step_of([4], [2], [3]))
    assert out["mlm_environment"].item() == 0
    assert out["accuracy_environment"].item() == 0
    out["loss"].backward()
    assert all(p.grad is None or p.grad.isfinite().all() for p in model.parameters())


@pytest.mark.parametrize("head", CHOICES["head"])
@pytest.mark.parametrize("contrast", CHOICES["contrast"])
def test_every_weight_has_a_gradient(contrast, head, model_of, step_of):
    model = model_of(contrast, head=head)
    figures(model, step_of(*LENGTHS))[0]["loss"].backward()
    assert [name for name, weight in model.named_parameters() if weight.grad is None] == []


def test_without_contrast_only_tokens_count(model_of, step_of):
    model = model_of("none", head="mlp")
    (out,) = figures(model, step_of(*LENGTHS))
    assert out["contrast"].item() == out["accuracy_contrast"].item() == 0
    out["loss"].backward()
    assert all((weight.grad == 0).all() for weight in model.encoder.head.parameters())
    assert model.contrast.state_dict() == {}


def test_keys_are_unit_vectors_in_single_precision(model_of, batch_of):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        keys = model_of().encoder(batch_of([3] * 5, [2] * 9))
    assert keys.dtype == torch.float32
    assert torch.allclose(keys.norm(dim=1), torch.ones(2), atol=1e-5)
