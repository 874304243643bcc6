"""The options of a pretraining run: checked when built, saved beside the model."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from static_analysis.errors import OscarError

PRECISIONS = ("fp32", "bf16", "fp16")
ZERO_STAGES = (0, 1, 2)
FREE_OPTIONS = frozenset({"steps", "minutes", "checkpoint_every", "keep", "log_every"})
"""Options that may change when a run goes on.

All but `steps` only say when to stop, save or print. `steps` shapes the learning rate: going on
with more of them is training longer, not the run that had as many from the beginning.
"""


class TrainingError(OscarError):
    """A pretraining run that cannot start or cannot go on."""


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """Everything besides corpus and model that decides a run.

    Attributes:
        steps: Optimiser steps of the whole run; the learning rate reaches zero after the last.
        minutes: Stop, resumably, after training this long in one process.
        batch_size: Functions per step and process.
        learning_rate: Peak learning rate, reached at the end of the warm-up.
        warmup: Share of the steps over which the learning rate rises.
        weight_decay: Decoupled weight decay of AdamW.
        clip: Largest norm of the gradients, all weights together.
        mask_rate: Share of instructions, and of environment entries, to hide and guess.
        moco_weight: Weight of telling functions apart beside guessing tokens.
        queue_size: Functions of earlier steps to tell a function apart from (the paper: 65,536).
        temperature: Divisor of the cosine similarities when functions are told apart.
        momentum: Ceiling of the momentum encoder's decay.
        min_instructions: Shortest function to train on (the paper: 8).
        seed: Seed of weights, batches, masks and dropout.
        precision: fp32, bf16 or fp16 (GPU only); the weights stay fp32.
        zero_stage: DeepSpeed ZeRO stage, 0 to 2: what the processes share out among them.
        checkpoint_every: Steps between checkpoints.
        keep: Checkpoints kept, newest first.
        log_every: Steps between lines of metrics.

    Raises:
        TrainingError: An option is out of its range; the message names it.
    """

    steps: int = 1000
    minutes: float | None = None
    batch_size: int = 16
    learning_rate: float = 5e-4
    warmup: float = 0.03
    weight_decay: float = 0.01
    clip: float = 1.0
    mask_rate: float = 0.15
    moco_weight: float = 1.0
    queue_size: int = 4096
    temperature: float = 0.05
    momentum: float = 0.999
    min_instructions: int = 1
    seed: int = 0
    precision: str = "fp32"
    zero_stage: int = 0
    checkpoint_every: int = 500
    keep: int = 2
    log_every: int = 10

    def __post_init__(self) -> None:
        for name, (holds, wanted) in _RANGES.items():
            value = getattr(self, name)
            if not (isinstance(value, (int, float)) and holds(value)):
                raise TrainingError(f"{name} is {value!r}; it must be {wanted}")
        if self.minutes is not None and not self.minutes > 0:
            raise TrainingError(f"minutes is {self.minutes!r}; it must be above 0, or left out")
        if self.precision not in PRECISIONS:
            raise TrainingError(f"precision is {self.precision!r}; choose {_listed(PRECISIONS)}")
        if self.zero_stage not in ZERO_STAGES:
            raise TrainingError(f"zero_stage is {self.zero_stage!r}; choose {_listed(ZERO_STAGES)}")

    def check_device(self, device: torch.device) -> None:
        """Refuses a precision that `device` cannot train in.

        Raises:
            TrainingError: fp16 on a CPU, whose kernels lack most half-precision operations.
        """
        if self.precision == "fp16" and device.type == "cpu":
            raise TrainingError("fp16 needs a GPU; on a CPU use --precision fp32 or bf16")

    def learning_rate_at(self, step: int) -> float:
        """Rate of step `step` (from 0): linear warm-up, then linear decay to zero at `steps`."""
        warm = max(1, round(self.warmup * self.steps))
        if step < warm:
            return self.learning_rate * (step + 1) / warm
        return self.learning_rate * max(0, self.steps - step) / max(1, self.steps - warm)


def _listed(values: tuple[Any, ...]) -> str:
    return ", ".join(map(str, values[:-1])) + f" or {values[-1]}"


def _whole(least: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int) and value >= least


def _between(low: float, high: float) -> Callable[[Any], bool]:
    return lambda value: low < value < high


_COUNT = (_whole(1), "a whole number of at least 1")
_POSITIVE = (_between(0, math.inf), "a number above 0")
_NOT_NEGATIVE = (lambda value: 0 <= value < math.inf, "a number of at least 0")
_SHARE = (lambda value: 0 <= value < 1, "at least 0 and below 1")
_RANGES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "steps": _COUNT,
    "batch_size": _COUNT,
    "learning_rate": _POSITIVE,
    "warmup": _SHARE,
    "weight_decay": _NOT_NEGATIVE,
    "clip": _POSITIVE,
    "mask_rate": (_between(0, 0.5), "above 0 and below 0.5"),
    "moco_weight": _NOT_NEGATIVE,
    "queue_size": _COUNT,
    "temperature": _POSITIVE,
    "momentum": _SHARE,
    "min_instructions": _COUNT,
    "seed": (_whole(0), "a whole number of at least 0"),
    "checkpoint_every": _COUNT,
    "keep": _COUNT,
    "log_every": _COUNT,
}
