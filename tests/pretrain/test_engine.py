import os
import subprocess
import sys

import pytest
import torch
from torch import nn

from pretrain.config import TrainingConfig
from pretrain.engine import build_engine, set_learning_rate, start


def weights_after_steps(config: TrainingConfig, steps: int = 3) -> torch.Tensor:
    torch.manual_seed(0)
    engine = build_engine(nn.Linear(4, 1), config)
    for step in range(steps):
        set_learning_rate(engine, 0.1 / (1 + step))
        torch.manual_seed(step)
        engine.backward(engine(torch.randn(8, 4)).float().square().mean())
        engine.step()
    return engine.module.weight.detach().clone()


def test_one_process_needs_no_set_up(world):
    assert (world.rank, world.size, world.leads) == (0, 1, True)
    assert world.device.type == "cuda" if torch.cuda.is_available() else "cpu"
    assert world.any(True)
    assert not world.any(False)
    assert world.lead_first(lambda: 7) == 7
    assert start() == world


def test_a_step_is_adam_with_decoupled_decay_and_clipped_gradients(world):
    config = TrainingConfig(clip=0.01, weight_decay=0.1)
    torch.manual_seed(0)
    model = nn.Linear(4, 1)
    adam = torch.optim.AdamW(model.parameters(), weight_decay=0.1)
    for step in range(3):
        adam.param_groups[0]["lr"] = 0.1 / (1 + step)
        torch.manual_seed(step)
        adam.zero_grad()
        model(torch.randn(8, 4)).square().mean().backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.01)
        adam.step()
    assert torch.allclose(weights_after_steps(config), model.weight, atol=1e-6)


@pytest.mark.parametrize("stage", [1, 2])
def test_zero_stages_train_alike(world, stage):
    plain = weights_after_steps(TrainingConfig())
    assert torch.allclose(weights_after_steps(TrainingConfig(zero_stage=stage)), plain, atol=1e-6)


def test_bf16_keeps_the_weights_in_single_precision(world):
    weights = weights_after_steps(TrainingConfig(precision="bf16"))
    assert weights.dtype == torch.float32
    plain = weights_after_steps(TrainingConfig())
    assert torch.allclose(weights, plain, atol=0.02)
    assert not torch.equal(weights, plain)


@pytest.mark.slow
def test_a_fresh_process_trains_in_silence():
    code = (
        "from pretrain.engine import *; from torch import nn; start();"
        "e = build_engine(nn.Linear(2, 1), TrainingConfig());"
        "e.backward(e(torch.ones(1, 2)).sum()); e.step()"
    )
    clean = {k: v for k, v in os.environ.items() if k not in ("RANK", "WORLD_SIZE", "LOCAL_RANK")}
    run = subprocess.run([sys.executable, "-c", code], env=clean, capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
