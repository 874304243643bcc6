import pytest
import torch
from torch import nn

from pretrain.config import TrainingConfig, TrainingError
from pretrain.engine.engine import accumulate, build_engine, gathered
from pretrain.training.state import (
    CONTRAST,
    OPTIMISER,
    WEIGHTS,
    load_moments,
    load_weights,
    save_state,
)

SHARINGS = [{"zero_stage": stage} for stage in range(4)] + [{"zero_stage": 2, "offload": True}]


class Counter:
    """Stands for a contrast: something with a state."""

    def __init__(self) -> None:
        self.keys = torch.zeros(3)

    def state_dict(self):
        return {"keys": self.keys}

    def load_state_dict(self, state):
        self.keys.copy_(state["keys"])


def model_of() -> nn.Module:
    """With a weight that ZeRO 3 shares out, of a size that ranks cannot halve, and a buffer."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(301, 401), nn.ReLU(), nn.Linear(401, 1))
    model.register_buffer("features", torch.zeros(4))
    model.contrast = Counter()
    return model


def train(engine, optimiser, steps) -> None:
    for step in steps:
        torch.manual_seed(step)
        optimiser.set_rate(1e-2 / (1 + step))
        accumulate(engine, engine(torch.randn(4, 301)).square().mean(), 1.0, last=True)
        engine.step()


def load_all(folder, engine, optimiser) -> None:
    load_weights(folder, model_of())
    load_moments(folder, engine, optimiser)


def state_of(engine) -> dict[str, torch.Tensor]:
    with gathered(engine.module.parameters()):
        return {name: part.detach().clone() for name, part in engine.module.state_dict().items()}


@pytest.fixture(scope="module")
def saved(world, tmp_path_factory):
    """States after three steps, by how the weights were shared, and what comes after three more."""
    made = {}
    for sharing in SHARINGS:
        config = TrainingConfig(**sharing)
        engine, optimiser = build_engine(model_of(), config, world)
        train(engine, optimiser, range(3))
        engine.module.contrast.keys += 5
        engine.module.features += 7
        folder = tmp_path_factory.mktemp("state")
        save_state(folder, engine, optimiser)
        train(engine, optimiser, range(3, 6))
        made[str(sharing)] = folder, state_of(engine)
    return made


@pytest.mark.parametrize("before", SHARINGS, ids=str)
@pytest.mark.parametrize("after", SHARINGS, ids=str)
def test_a_state_goes_on_however_its_weights_were_shared(world, saved, before, after):
    folder, expected = saved[str(before)]
    model, config = model_of(), TrainingConfig(**after)
    load_weights(folder, model)
    assert model.contrast.keys.tolist() == [5, 5, 5]
    engine, optimiser = build_engine(model, config, world)
    load_moments(folder, engine, optimiser)
    assert optimiser.steps == 3
    train(engine, optimiser, range(3, 6))
    found = state_of(engine)
    assert found.keys() == expected.keys()
    for name, wanted in expected.items():
        if before == after:
            assert torch.equal(found[name], wanted)
        assert torch.allclose(found[name], wanted, rtol=1e-4, atol=1e-6)


def test_the_scale_of_half_precision_comes_along(world, tmp_path):
    engine, optimiser = build_engine(model_of(), TrainingConfig(), world)
    optimiser.scale.value, optimiser.scale.steps = 512.0, 77
    save_state(tmp_path, engine, optimiser)
    engine, optimiser = build_engine(model_of(), TrainingConfig(zero_stage=1), world)
    load_moments(tmp_path, engine, optimiser)
    assert (optimiser.scale.value, optimiser.scale.steps) == (512, 77)


@pytest.mark.parametrize("name", [WEIGHTS, CONTRAST, OPTIMISER])
def test_a_missing_or_damaged_file_is_said_in_one_line(world, saved, tmp_path, name):
    folder, _ = saved["{'zero_stage': 0}"]
    for content in (None, b"half"):
        for file in folder.iterdir():
            (tmp_path / file.name).write_bytes(file.read_bytes())
        (tmp_path / name).unlink() if content is None else (tmp_path / name).write_bytes(content)
        engine, optimiser = build_engine(model_of(), TrainingConfig(), world)
        with pytest.raises(TrainingError, match="is incomplete: resume from another checkpoint"):
            load_all(tmp_path, engine, optimiser)
