import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import nn

from pretrain.config import TrainingConfig
from pretrain.engine.engine import accumulate, build_engine, deepspeed_config, gathered
from pretrain.engine.world import quiet_deepspeed

STAGES = [
    {"zero_stage": stage, "offload": offload}
    for stage in range(4)
    for offload in (False, True)
    if stage or not offload
]
PARTS = 3


def understood(options: dict[str, Any]) -> Any:
    """The options as DeepSpeed's own schema reads them."""
    return quiet_deepspeed().runtime.config.DeepSpeedConfig(options)


def model_of() -> nn.Module:
    """Small, but with a weight that ZeRO 3 shares out (more than 100,000 numbers)."""
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(301, 401), nn.ReLU(), nn.Linear(401, 1))


def micro_batch(step: int, part: int) -> torch.Tensor:
    torch.manual_seed(10 * step + part)
    return torch.randn(4, 301)


def plain_weights(steps: int, config: TrainingConfig) -> list[torch.Tensor]:
    """Trained by torch alone, all micro-batches at once."""
    model = model_of()
    adam = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=config.weight_decay)
    for step in range(steps):
        adam.zero_grad()
        batch = torch.cat([micro_batch(step, part) for part in range(PARTS)])
        model(batch).square().mean().backward()
        nn.utils.clip_grad_norm_(model.parameters(), config.clip)
        adam.step()
    return list(model.parameters())


def train(engine, optimiser, steps: int, broken: int | None = None) -> None:
    optimiser.set_rate(1e-3)
    for step in range(steps):
        for part in range(PARTS):
            loss = engine(micro_batch(step, part)).float().square().sum() / (4 * PARTS)
            if (step, part) == (broken, 0):
                loss = loss * torch.inf
            accumulate(engine, loss, 1.0, last=part == PARTS - 1)
        optimiser.applied = False
        engine.step()
        assert optimiser.applied == (step != broken)


@pytest.mark.parametrize("sharing", STAGES)
def test_every_zero_stage_trains_as_torch_alone_would(world, sharing):
    config = TrainingConfig(precision="fp32", clip=0.05, weight_decay=0.1, **sharing)
    engine, optimiser = build_engine(model_of(), config, world)
    train(engine, optimiser, 3)
    expected = plain_weights(3, config)
    with gathered(engine.module.parameters()):
        for weight, wanted in zip(engine.module.parameters(), expected, strict=True):
            assert torch.allclose(weight, wanted, atol=1e-6)


@pytest.mark.parametrize("sharing", STAGES)
def test_a_broken_step_is_left_out_and_forgotten_at_every_zero_stage(world, sharing):
    config = TrainingConfig(precision="fp32", **sharing)
    engine, optimiser = build_engine(model_of(), config, world)
    with gathered(engine.module.parameters()):
        before = [weight.detach().clone() for weight in engine.module.parameters()]
    train(engine, optimiser, 1, broken=0)
    with gathered(engine.module.parameters()):
        assert all(map(torch.equal, before, engine.module.parameters()))
    train(engine, optimiser, 1)
    with gathered(engine.module.parameters()):
        for weight, wanted in zip(
            engine.module.parameters(), plain_weights(1, config), strict=True
        ):
            assert torch.allclose(weight, wanted, atol=1e-6)


def test_bf16_keeps_weights_and_gradients_in_single_precision(world):
    weights = []
    for precision in ("fp32", "bf16"):
        engine, optimiser = build_engine(model_of(), TrainingConfig(precision=precision), world)
        assert engine(micro_batch(0, 0)).dtype == getattr(
            torch, {"fp32": "float32", "bf16": "bfloat16"}[precision]
        )
        train(engine, optimiser, 2)
        weights.append(engine.module[0].weight)
    assert weights[1].dtype == torch.float32
    assert torch.allclose(*weights, atol=5e-3)
    assert not torch.equal(*weights)


@pytest.mark.parametrize("sharing", STAGES)
def test_deepspeed_understands_what_it_is_told(world, sharing):
    told = understood(deepspeed_config(TrainingConfig(**sharing)))
    assert told.zero_optimization_stage == sharing["zero_stage"]
    assert told.gradient_clipping == 0
    offload = told.zero_config.offload_optimizer
    assert (offload is not None and offload.device == "cpu") == sharing["offload"]


def test_deepspeed_refuses_what_it_does_not_know(world):
    told = deepspeed_config(replace(TrainingConfig(), zero_stage=1))
    told["zero_optimization"]["sharing"] = "all"
    with pytest.raises(ValueError, match="sharing"):
        understood(told)


@pytest.mark.slow
def test_a_fresh_process_trains_in_silence():
    code = (
        "from pretrain.engine.engine import *; from pretrain.engine.world import start;"
        "from torch import nn;"
        "w = start(); c = TrainingConfig(); e, o = build_engine(nn.Linear(2, 1), c, w);"
        "accumulate(e, e(torch.ones(1, 2)).sum(), 1.0, last=True); e.step()"
    )
    clean = {k: v for k, v in os.environ.items() if k not in ("RANK", "WORLD_SIZE", "LOCAL_RANK")}
    run = subprocess.run([sys.executable, "-c", code], env=clean, capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
