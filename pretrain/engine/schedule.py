"""How the learning rate changes from step to step."""

from __future__ import annotations

import math
from collections.abc import Callable

from pretrain.config import TrainingConfig

_DECAYS: dict[str, Callable[[float], float]] = {
    "linear": lambda done: 1 - done,
    "cosine": lambda done: (1 + math.cos(math.pi * done)) / 2,
    "constant": lambda done: 1.0,
}


def learning_rate(config: TrainingConfig, step: int) -> float:
    """Rate of step `step` (from 0).

    It rises linearly over the first `warmup` of the steps, then follows the schedule: down to zero
    at `steps` along a line or half a cosine, or staying where it is.
    """
    warm = max(1, round(config.warmup * config.steps))
    if step < warm:
        return config.learning_rate * (step + 1) / warm
    done = min(1.0, (step - warm) / max(1, config.steps - warm))
    return config.learning_rate * _DECAYS[config.schedule](done)
