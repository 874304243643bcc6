"""One optimiser step: keys, losses, gradients, momentum; and what to do with a broken loss."""

from __future__ import annotations

import torch
from torch import Tensor

from pretrain.batches import DROPOUT, Batches, step_seed
from pretrain.config import TrainingConfig, TrainingError
from pretrain.engine import World, autocast, set_learning_rate
from pretrain.moco import gather, momentum_at
from pretrain.training import Training

PATIENCE = 5
"""Steps in a row without a finite loss after which a run is given up."""


class Trainer:
    """Takes the steps of a run.

    Args:
        training: Engine, momentum encoder and queue.
        batches: The batches of this rank.
        config: The run's options.
        world: This process among the others.

    Attributes:
        skipped: Steps of the run skipped so far because their loss was not finite.
        broken: How many of the last steps in a row were skipped.
    """

    def __init__(
        self, training: Training, batches: Batches, config: TrainingConfig, world: World
    ) -> None:
        self.training = training
        self.skipped = self.broken = 0
        self._batches, self._config, self._world = batches, config, world

    def step(self, step: int) -> dict[str, Tensor]:
        """Takes step `step` (from 0); every rank must.

        Returns:
            The losses and accuracies of `PretrainingModel.forward` on this rank, detached.

        Raises:
            TrainingError: `PATIENCE` steps in a row had no finite loss.
        """
        config, engine = self._config, self.training.engine
        batch = self._batches.at(step).to(self._world.device)
        torch.manual_seed(step_seed(config.seed, DROPOUT, step, self._world.rank))
        with torch.no_grad(), autocast(config, self._world.device):
            keys = self.training.momentum.encoder(batch.key)
        self.training.queue.push(gather(keys), gather(batch.classes))
        figures: dict[str, Tensor] = engine(batch.query, keys, batch.classes, self.training.queue)
        loss = figures["loss"]
        if self._world.any(not bool(loss.isfinite())):
            self._skip(step)
        else:
            self.broken = 0
            set_learning_rate(engine, config.learning_rate_at(step))
            engine.backward(loss)
            engine.step()
            decay = momentum_at(step, config.momentum)
            self.training.momentum.update(engine.module.encoder, decay)
        return {name: value.detach() for name, value in figures.items()}

    def _skip(self, step: int) -> None:
        self.skipped += 1
        self.broken += 1
        if self.broken == PATIENCE:
            raise TrainingError(
                f"the loss was not finite for {PATIENCE} steps in a row up to step {step + 1}: "
                "resume from a checkpoint, or start over with a lower --learning-rate"
            )
