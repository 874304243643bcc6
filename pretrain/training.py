"""What a run trains: the engine around the model, the momentum encoder and the queue of keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from oscar.config import OscarConfig
from oscar.model import OscarModel
from pretrain.config import TrainingConfig
from pretrain.engine import World, build_engine
from pretrain.moco import KeyQueue, MomentumEncoder
from pretrain.objective import PretrainingModel


@dataclass(frozen=True, slots=True)
class Training:
    """Everything that changes from step to step, and that a checkpoint saves.

    Attributes:
        engine: The DeepSpeed engine around a `PretrainingModel`.
        momentum: The momentum encoder.
        queue: The keys of earlier steps.
    """

    engine: Any
    momentum: MomentumEncoder
    queue: KeyQueue

    @property
    def model(self) -> OscarModel:
        """The model as it stands."""
        model: OscarModel = self.engine.module.encoder.model
        return model


def build_training(shape: OscarConfig, config: TrainingConfig, world: World) -> Training:
    """A new model of the given shape, its weights decided by the run's seed, ready to train."""
    torch.manual_seed(config.seed)
    model = PretrainingModel(OscarModel(shape), config).to(world.device)
    momentum = MomentumEncoder(model.encoder)
    queue = KeyQueue(config.queue_size, model.encoder.dim, world.device)
    return Training(build_engine(model, config), momentum, queue)
