"""What a run trains: the engine around the model, its optimiser, and what functions are told by."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from oscar.config import OscarConfig
from oscar.model import OscarModel
from pretrain.config import TrainingConfig
from pretrain.engine.engine import build_engine
from pretrain.engine.optimiser import ClippingAdamW
from pretrain.engine.world import World
from pretrain.objective.contrast import Contrast
from pretrain.objective.objective import build_objective
from pretrain.training.state import load_moments, load_weights


@dataclass(frozen=True, slots=True)
class Training:
    """Everything that changes from step to step, and that a checkpoint saves.

    Attributes:
        engine: The DeepSpeed engine around a `PretrainingModel`.
        optimiser: Its optimiser.
    """

    engine: Any
    optimiser: ClippingAdamW

    @property
    def contrast(self) -> Contrast:
        """How functions are told from each other: momentum encoder and queue."""
        contrast: Contrast = self.engine.module.contrast
        return contrast

    @property
    def model(self) -> OscarModel:
        """The model as it stands; with ZeRO 3 its weights are shared out among the ranks."""
        model: OscarModel = self.engine.module.encoder.model
        return model


def build_training(
    shape: OscarConfig, config: TrainingConfig, world: World, checkpoint: Path | None = None
) -> Training:
    """A model ready to train, as a checkpoint left it or new.

    Args:
        shape: Shape of the model.
        config: The run's options; the seed decides the weights of a new model.
        world: This process among the others; another number than wrote the checkpoint will do.
        checkpoint: Folder of the state to go on from; None: start anew.

    Raises:
        TrainingError: The checkpoint is incomplete.
    """
    torch.manual_seed(config.seed)
    objective = build_objective(shape, config, world.device)
    if checkpoint is not None:
        load_weights(checkpoint, objective)
    model: OscarModel = objective.encoder.model
    model.gradient_checkpointing_enable(config.gradient_checkpointing)
    if config.compile:
        model.compile_layers()
    engine, optimiser = build_engine(objective, config, world)
    if checkpoint is not None:
        load_moments(checkpoint, engine, optimiser)
    return Training(engine, optimiser)
