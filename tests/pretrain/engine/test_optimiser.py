import pytest
import torch
from torch import nn

from pretrain.config import TrainingConfig
from pretrain.engine.optimiser import ClippingAdamW, LossScale


def optimiser_of(world, model, **options) -> ClippingAdamW:
    return ClippingAdamW(model.parameters(), TrainingConfig(**options), world)


def gradients(model: nn.Module, seed: int, scale: float = 1.0) -> None:
    torch.manual_seed(seed)
    model.zero_grad()
    (model(torch.randn(8, 4)).square().mean() * scale).backward()


@pytest.mark.parametrize("clip", [0.01, 100.0])
def test_a_step_is_adam_with_decoupled_decay_and_clipped_gradients(world, clip):
    models = []
    for _ in range(2):
        torch.manual_seed(0)
        models.append(nn.Linear(4, 1))
    ours = optimiser_of(world, models[0], clip=clip, weight_decay=0.1)
    plain = torch.optim.AdamW(models[1].parameters(), weight_decay=0.1)
    for step in range(3):
        ours.set_rate(0.1 / (1 + step))
        plain.param_groups[0]["lr"] = 0.1 / (1 + step)
        gradients(models[0], step)
        gradients(models[1], step)
        norm = nn.utils.clip_grad_norm_(models[1].parameters(), clip)
        ours.step()
        plain.step()
        assert ours.norm == pytest.approx(float(norm))
    assert torch.allclose(models[0].weight, models[1].weight, atol=1e-6)
    assert ours.applied
    assert ours.steps == 3


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_a_gradient_that_is_not_finite_changes_nothing(world, value):
    model = nn.Linear(4, 1)
    ours = optimiser_of(world, model)
    gradients(model, 0)
    ours.step()
    before = [weight.clone() for weight in model.parameters()]
    gradients(model, 1)
    model.bias.grad.fill_(value)
    ours.applied = False
    ours.step()
    assert not ours.applied
    assert ours.steps == 1
    assert all(map(torch.equal, before, model.parameters()))


def test_what_the_loss_was_multiplied_by_is_taken_back_before_clipping(world):
    weights = []
    for scale in (1.0, 1024.0):
        torch.manual_seed(0)
        model = nn.Linear(4, 1)
        ours = optimiser_of(world, model, clip=0.5)
        ours.scale.value = scale
        gradients(model, 3, scale)
        ours.step()
        weights.append((ours.norm, model.weight))
    assert weights[0][0] == pytest.approx(weights[1][0])
    assert torch.allclose(weights[0][1], weights[1][1], atol=1e-6)


def test_the_scale_halves_at_an_overflow_and_doubles_after_long_peace():
    scale = LossScale(scales=True)
    assert scale.value == 65_536
    scale.update(finite=False)
    assert scale.value == 32_768
    for _ in range(1999):
        scale.update(finite=True)
    assert scale.value == 32_768
    scale.update(finite=True)
    assert (scale.value, scale.steps) == (65_536, 0)


def test_without_half_precision_there_is_no_scale():
    scale = LossScale(scales=False)
    for finite in (True, False):
        scale.update(finite)
    assert scale.value == 1
