from dataclasses import replace
from typing import Any

import pytest
import torch

from oscar.batching import collate
from oscar.config import OscarConfig
from pretrain.batches import Batches
from pretrain.config import TrainingConfig, TrainingError
from pretrain.trainer import PATIENCE, Trainer
from pretrain.training import build_training


@pytest.fixture
def trainer_of(world, small, melodies):
    """Builds a trainer with the given options, for a model of the given shape."""

    def build(shape: OscarConfig = small, **options: Any) -> Trainer:
        config = TrainingConfig(**{"steps": 10, "batch_size": 4, **options})
        training = build_training(shape, config, world)
        return Trainer(training, Batches(melodies, shape, config), config, world)

    return build


def retrieval(trainer, functions) -> float:
    """Share of views whose nearest other view is of the same function."""
    model = trainer.training.model.eval()
    with torch.inference_mode():
        batch = collate(functions, model.config)
        vectors = torch.nn.functional.normalize(model(batch).embedding, dim=1)
    nearest = (vectors @ vectors.T).fill_diagonal_(-1).argmax(1).numpy()
    return float((functions.groups[nearest] == functions.groups).mean())


def test_a_handful_of_functions_is_learned_by_heart(trainer_of, small, melodies):
    shape = replace(small, hidden_size=64, ffn_size=128, n_features=32)
    trainer = trainer_of(
        shape, steps=100, batch_size=12, learning_rate=5e-3, mask_rate=0.3, queue_size=32
    )
    figures = [trainer.step(step) for step in range(100)]
    first, last = (
        {name: sum(each[name].item() for each in part) / 5 for name in figures[0]}
        for part in (figures[:5], figures[-5:])
    )
    assert last["mlm_instruction"] < 0.75 * first["mlm_instruction"]
    assert last["mlm_environment"] < 0.75 * first["mlm_environment"]
    assert last["accuracy_contrast"] > 0.9
    assert retrieval(trainer, melodies) == 1


def test_a_step_moves_the_momentum_encoder_and_fills_the_queue(trainer_of):
    trainer = trainer_of(batch_size=3, queue_size=7, momentum=0.5)
    before = [weight.clone() for weight in trainer.training.momentum.encoder.parameters()]
    trainer.step(0)
    after = trainer.training.momentum.encoder.parameters()
    trained = trainer.training.engine.module.encoder.parameters()
    for old, new, followed in zip(before, after, trained, strict=True):
        assert torch.allclose(new, 0.1 * old + 0.9 * followed, atol=1e-7)
    assert (trainer.training.queue.classes >= 0).sum() == 3
    for step in range(1, 4):  # 12 keys into 7 slots: the batch does not divide the queue
        trainer.step(step)
    assert (trainer.training.queue.classes >= 0).all()


def test_a_loss_that_is_not_finite_changes_nothing_and_several_end_the_run(trainer_of):
    trainer = trainer_of()
    trainer.step(0)
    weight = trainer.training.model.instruction_encoder.embedding.weight
    good = weight.detach().clone()
    with torch.no_grad():
        weight.fill_(torch.inf)
    trainer.step(1)
    assert (trainer.skipped, trainer.broken) == (1, 1)
    assert all(w.isfinite().all() for w in trainer.training.momentum.encoder.parameters())
    with torch.no_grad():
        weight.copy_(good)
    assert trainer.step(2)["loss"].isfinite()
    assert (trainer.skipped, trainer.broken) == (1, 0)
    with torch.no_grad():
        weight.fill_(torch.inf)
    for step in range(3, 2 + PATIENCE):
        trainer.step(step)
    with pytest.raises(TrainingError, match=r"not finite for 5 steps in a row up to step 8"):
        trainer.step(2 + PATIENCE)


def test_dropout_is_a_function_of_the_step(trainer_of, small):
    losses = []
    for noise in (0, 1):
        trainer = trainer_of(replace(small, dropout=0.5))
        torch.manual_seed(noise)
        losses.append(trainer.step(3)["loss"].item())
    assert losses[0] == losses[1]
