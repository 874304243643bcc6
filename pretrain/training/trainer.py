"""One optimiser step: contrast, gradients of all micro-batches, update; or none if it is broken."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor

from pretrain.config import TrainingConfig, TrainingError
from pretrain.data.batches import DROPOUT, PairBatch, Step, derived_seed
from pretrain.engine.engine import accumulate, autocast, take_step
from pretrain.engine.schedule import learning_rate
from pretrain.engine.world import World
from pretrain.training.broken import save_step
from pretrain.training.training import Training

PATIENCE = 5
"""Steps in a row without finite gradients after which a run is given up."""


class Trainer:
    """Takes the steps of a run.

    Args:
        training: What is trained.
        config: The run's options.
        world: This process among the others.
        broken_folder: Where to leave the step on which a run is given up.

    Attributes:
        skipped: Steps of the run skipped so far because a gradient was not finite.
        broken: How many of the last steps in a row were skipped.
    """

    def __init__(
        self, training: Training, config: TrainingConfig, world: World, broken_folder: Path
    ) -> None:
        self.training = training
        self.skipped = self.broken = 0
        self._config, self._world, self._broken_folder = config, world, broken_folder

    def step(self, step: Step) -> dict[str, float]:
        """Takes a step; every rank must, with its own part of it.

        Returns:
            What `PretrainingModel.forward` says of the whole step, over all micro-batches and
            ranks, "gradient_norm", and the numbers of `Step.counts`.

        Raises:
            TrainingError: `PATIENCE` steps in a row had no finite gradients.
        """
        config, training = self._config, self.training
        known, counts = self._totals(step)
        parts = [part.within(known).to(self._world.device) for part in step.parts]
        torch.manual_seed(derived_seed(config.seed, DROPOUT, step.number, self._world.rank))
        with torch.no_grad(), autocast(config, self._world.device):
            training.contrast.begin(parts, step.classes.to(self._world.device))
        figures = self._gradients(parts)
        self._update(step)
        return {**figures, "gradient_norm": training.optimiser.norm, **counts}

    def _totals(self, step: Step) -> tuple[Tensor, dict[str, float]]:
        """`PairBatch.totals` and `Step.counts` of the step on all ranks."""
        counts = step.counts
        mine = torch.stack([part.totals for part in step.parts]).sum(0).double()
        known = self._world.sum(torch.cat([mine, torch.tensor([*counts.values()])])).cpu()
        totals, numbers = known.split([len(mine), len(counts)])
        return totals.float(), dict(zip(counts, numbers.tolist(), strict=True))

    def _gradients(self, parts: list[PairBatch]) -> dict[str, float]:
        """Adds up the gradients of the step and gives its figures."""
        engine, scale = self.training.engine, self.training.optimiser.scale.value
        shares: list[Tensor] = []
        for number, part in enumerate(parts, 1):
            figures = engine(part)
            accumulate(engine, figures["loss"], scale, last=number == len(parts))
            shares.append(torch.stack([value.detach().double() for value in figures.values()]))
        known = self._world.sum(torch.stack(shares).sum(0))
        return dict(zip(figures, known.tolist(), strict=True))

    def _update(self, step: Step) -> None:
        engine, optimiser = self.training.engine, self.training.optimiser
        if take_step(engine, optimiser, learning_rate(self._config, step.number)):
            self.broken = 0
            self.training.contrast.follow(engine.module.encoder, step.number)
            return
        self.skipped += 1
        # Half precision overflows now and then, until the scale of the loss has come down.
        self.broken += optimiser.scale.value <= 1
        if self.broken == PATIENCE:
            save_step(self._broken_folder, step, self._world)
            raise TrainingError(
                f"the gradients were not finite for {PATIENCE} steps in a row up to step "
                f"{step.number + 1}, whose batch is in {self._broken_folder}: resume from a "
                "checkpoint, or start over with a lower --learning-rate"
            )
