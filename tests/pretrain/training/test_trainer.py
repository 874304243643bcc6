from dataclasses import replace
from typing import Any

import pytest
import torch

from oscar.batching import collate
from oscar.config import OscarConfig
from pretrain.config import TrainingConfig, TrainingError
from pretrain.data.batches import Batches
from pretrain.training.trainer import PATIENCE, Trainer
from pretrain.training.training import build_training


class Taken(Trainer):
    """A trainer with its own batches."""

    batches: Batches

    def take(self, number: int) -> dict[str, float]:
        return self.step(self.batches[number])


@pytest.fixture
def trainer_of(world, small, melodies, tmp_path):
    """Builds a trainer with the given options, for a model of the given shape."""

    def build(shape: OscarConfig = small, **options: Any) -> Taken:
        config = TrainingConfig(
            **{
                "steps": 10,
                "batch_size": 4,
                "validation_share": 0.0,
                "precision": "fp32",
                **options,
            }
        )
        training = build_training(shape, config, world)
        trainer = Taken(training, config, world, tmp_path / "broken")
        trainer.batches = Batches(melodies, shape, config)
        return trainer

    return build


def retrieval(trainer: Trainer, functions) -> float:
    """Share of views whose nearest other view is of the same function."""
    model = trainer.training.model.eval()
    with torch.inference_mode():
        batch = collate(functions, model.config)
        vectors = torch.nn.functional.normalize(model(batch).embedding, dim=1)
    nearest = (vectors @ vectors.T).fill_diagonal_(-1).argmax(1).numpy()
    return float((functions.groups[nearest] == functions.groups).mean())


@pytest.mark.slow
def test_a_handful_of_functions_is_learned_by_heart(trainer_of, small, melodies):
    shape = replace(small, hidden_size=64, ffn_size=256, n_features=32, token_layers=2)
    trainer = trainer_of(
        shape, steps=600, batch_size=12, learning_rate=5e-3, mask_rate=0.15, queue_size=32
    )
    figures = [trainer.take(step) for step in range(600)]
    last = {name: sum(each[name] for each in figures[-20:]) / 20 for name in figures[0]}
    assert figures[0]["mlm_instruction"] > 3
    assert last["mlm_instruction"] < 0.2
    assert last["mlm_environment"] < 0.2
    assert last["accuracy_contrast"] == 1
    assert retrieval(trainer, melodies) == 1


def test_a_step_moves_the_momentum_encoder_and_fills_the_queue(trainer_of):
    trainer = trainer_of(batch_size=3, queue_size=7, momentum=0.5)
    contrast = trainer.training.contrast
    before = [weight.clone() for weight in contrast.momentum.encoder.parameters()]
    trainer.take(0)
    after = contrast.momentum.encoder.parameters()
    trained = trainer.training.engine.module.encoder.parameters()
    for old, new, followed in zip(before, after, trained, strict=True):
        assert torch.allclose(new, 0.1 * old + 0.9 * followed, atol=1e-7)
    assert (contrast.queue.classes >= 0).sum() == 3
    for step in range(1, 4):  # 12 keys into 7 slots: the batch does not divide the queue
        trainer.take(step)
    assert (contrast.queue.classes >= 0).all()


@pytest.mark.parametrize(
    "contrast",
    ["moco", *(pytest.param(name, marks=pytest.mark.slow) for name in ("in-batch", "none"))],
)
def test_a_step_is_the_same_in_one_part_and_in_many(trainer_of, contrast):
    found = []
    for budget in (10_000, 1):
        trainer = trainer_of(batch_size=6, token_budget=budget, contrast=contrast, clip=0.1)
        assert len(trainer.batches[0].parts) == (1 if budget > 1 else 6)
        figures = [trainer.take(step) for step in range(3)]
        weights = torch.cat([weight.flatten() for weight in trainer.training.model.parameters()])
        found.append((figures, weights.detach()))
    assert torch.allclose(found[0][1], found[1][1], atol=1e-5)
    for whole, cut in zip(found[0][0], found[1][0], strict=True):
        for name in ("loss", "mlm_instruction", "contrast", "accuracy_contrast", "gradient_norm"):
            assert cut[name] == pytest.approx(whole[name], rel=1e-4, abs=1e-6)
        assert cut["tokens"] == whole["tokens"]


@pytest.mark.parametrize(
    "stage", [3, *(pytest.param(stage, marks=pytest.mark.slow) for stage in (1, 2))]
)
def test_every_zero_stage_takes_the_same_steps(trainer_of, small, stage):
    # A feed-forward network of more than 100,000 weights, which ZeRO 3 shares out.
    shape = replace(small, ffn_size=8000)
    plain, shared = trainer_of(shape), trainer_of(shape, zero_stage=stage)
    for step in range(3):
        expected = plain.take(step)
        assert shared.take(step) == pytest.approx(expected, rel=1e-3)
    encoders = [t.training.contrast.momentum.encoder for t in (plain, shared)]
    for wanted, weight in zip(*(encoder.parameters() for encoder in encoders), strict=True):
        assert torch.allclose(weight, wanted, atol=1e-5)


@pytest.mark.parametrize(
    "stage", [0, *(pytest.param(stage, marks=pytest.mark.slow) for stage in (2, 3))]
)
def test_layers_computed_again_have_the_same_gradients(trainer_of, small, stage):
    shape = replace(small, dropout=0.3, ffn_size=1000)
    plain = trainer_of(shape, zero_stage=stage)
    again = trainer_of(shape, zero_stage=stage, gradient_checkpointing=True)
    for step in range(2):
        assert again.take(step) == pytest.approx(plain.take(step), rel=1e-4)


def test_gradients_that_are_not_finite_change_nothing_and_several_end_the_run(trainer_of, tmp_path):
    trainer = trainer_of()
    trainer.take(0)
    weight = trainer.training.model.instruction_encoder.embedding.weight
    good = weight.detach().clone()
    with torch.no_grad():
        weight.fill_(torch.inf)
    trainer.take(1)
    assert (trainer.skipped, trainer.broken) == (1, 1)
    momentum = trainer.training.contrast.momentum.encoder
    assert all(w.isfinite().all() for w in momentum.parameters())
    with torch.no_grad():
        weight.copy_(good)
    assert trainer.take(2)["loss"] < 100
    assert (trainer.skipped, trainer.broken) == (1, 0)
    with torch.no_grad():
        weight.fill_(torch.inf)
    for step in range(3, 2 + PATIENCE):
        trainer.take(step)
    assert not (tmp_path / "broken").exists()
    with pytest.raises(TrainingError, match=r"not finite for 5 steps in a row up to step 8, whose"):
        trainer.take(2 + PATIENCE)
    assert sorted(path.name for path in (tmp_path / "broken").iterdir()) == [
        "step-00000008-rank-0.json",
        "step-00000008-rank-0.safetensors",
    ]


def test_dropout_is_a_function_of_the_step(trainer_of, small):
    losses = []
    for noise in (0, 1):
        trainer = trainer_of(replace(small, dropout=0.5))
        torch.manual_seed(noise)
        losses.append(trainer.take(3)["loss"])
    assert losses[0] == losses[1]
