"""The options of a pretraining run: checked when built, saved beside the model."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import torch

from static_analysis.errors import OscarError

AUTO = "auto"
CHOICES = {
    "precision": (AUTO, "fp32", "bf16", "fp16"),
    "zero_stage": (0, 1, 2, 3),
    "schedule": ("linear", "cosine", "constant"),
    "masking": ("entries", "spans"),
    "contrast": ("moco", "in-batch", "none"),
    "head": ("none", "mlp"),
}
FREE_OPTIONS = frozenset(
    {
        "steps",
        "minutes",
        "token_budget",
        "workers",
        "zero_stage",
        "offload",
        "gradient_checkpointing",
        "compile",
        "checkpoint_every",
        "keep",
        "log_every",
        "validate_every",
        "validation_functions",
    }
)
"""Options that may change when a run goes on.

All but `steps` only say how the work is shared out, when to stop, save or print. `steps` shapes the
learning rate: going on with more of them is training longer, not the run that had as many from the
beginning.
"""


class TrainingError(OscarError):
    """A pretraining run that cannot start or cannot go on."""


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """Everything besides corpus and model that decides a run.

    Attributes:
        steps: Optimiser steps of the whole run; the learning rate reaches zero after the last.
        minutes: Stop, resumably, after training this long in one process.
        batch_size: Functions per step, over all processes.
        token_budget: Tokens, of both streams, that a process reads at once; a step of more is
            taken in parts, their gradients added up.
        workers: Processes that make batches ahead, for each training process; 0: none.
        learning_rate: Peak learning rate, reached at the end of the warm-up.
        warmup: Share of the steps over which the learning rate rises.
        schedule: How it falls after that: linear, cosine or constant.
        weight_decay: Decoupled weight decay of AdamW.
        clip: Largest norm of the gradients, all weights together.
        masking: What is hidden: entries (one by one) or spans of them.
        mask_rate: Share of instructions, and of environment entries, to hide and guess.
        instruction_weight: Weight of guessing instruction tokens.
        environment_weight: Weight of guessing environment tokens.
        contrast: How functions are told apart: moco (momentum contrast), in-batch or none.
        contrast_weight: Weight of telling functions apart.
        head: What stands between embeddings and their comparison: none or mlp (the paper).
        queue_size: Functions of earlier steps to tell a function apart from (the paper: 65,536).
        temperature: Divisor of the cosine similarities when functions are told apart.
        momentum: Ceiling of the momentum encoder's decay.
        min_instructions: Shortest function to train on (the paper: 8).
        validation_share: Share of the different functions kept from training to validate on.
        validation_functions: Most functions read at a validation.
        seed: Seed of weights, batches, masks and dropout.
        precision: fp32, bf16 or fp16 (GPU only) around fp32 weights; auto: bf16 on a GPU that has
            it, fp16 on another, fp32 on a CPU.
        zero_stage: DeepSpeed ZeRO stage, 0 to 3: what the processes share out among them.
        offload: Keep the optimiser, and with ZeRO 3 the weights, in CPU memory.
        gradient_checkpointing: Compute each layer again for its gradients instead of keeping all
            of it: less memory, more time.
        compile: Compile what layers do to each row alone; needs a C++ compiler on a CPU.
        checkpoint_every: Steps between checkpoints.
        keep: Checkpoints kept, newest first, besides the best.
        log_every: Steps between lines of metrics.
        validate_every: Steps between validations.

    Raises:
        TrainingError: An option is out of its range; the message names it.
    """

    steps: int = 1000
    minutes: float | None = None
    batch_size: int = 16
    token_budget: int = 32_768
    workers: int = 1
    learning_rate: float = 1e-3
    warmup: float = 0.03
    schedule: str = "linear"
    weight_decay: float = 0.01
    clip: float = 1.0
    masking: str = "entries"
    mask_rate: float = 0.15
    instruction_weight: float = 1.0
    environment_weight: float = 1.0
    contrast: str = "moco"
    contrast_weight: float = 0.3
    head: str = "none"
    queue_size: int = 4096
    temperature: float = 0.05
    momentum: float = 0.999
    min_instructions: int = 1
    validation_share: float = 0.02
    validation_functions: int = 512
    seed: int = 0
    precision: str = AUTO
    zero_stage: int = 0
    offload: bool = False
    gradient_checkpointing: bool = False
    compile: bool = False
    checkpoint_every: int = 500
    keep: int = 2
    log_every: int = 10
    validate_every: int = 500

    def __post_init__(self) -> None:
        for name, (holds, wanted) in _RANGES.items():
            value = getattr(self, name)
            if not (isinstance(value, (int, float)) and holds(value)):
                raise TrainingError(f"{name} is {value!r}; it must be {wanted}")
        for name, known in CHOICES.items():
            if (value := getattr(self, name)) not in known:
                raise TrainingError(f"{name} is {value!r}; choose {_listed(known)}")
        if self.minutes is not None and not self.minutes > 0:
            raise TrainingError(f"minutes is {self.minutes!r}; it must be above 0, or left out")
        if self.offload and self.zero_stage == 0:
            raise TrainingError("offload needs a zero_stage of 1, 2 or 3")

    def resolved(self, device: torch.device) -> TrainingConfig:
        """The same with a precision that `device` can train in.

        Raises:
            TrainingError: The precision asked for needs another device: fp16 on a CPU, whose
                kernels lack most half-precision operations, or bf16 on a GPU without it.
        """
        gpu = device.type == "cuda"
        has_bf16 = not gpu or torch.cuda.is_bf16_supported(including_emulation=False)
        if self.precision == AUTO:
            best = ("bf16" if has_bf16 else "fp16") if gpu else "fp32"
            return replace(self, precision=best)
        if self.precision == "fp16" and not gpu:
            raise TrainingError("fp16 needs a GPU; on a CPU use --precision fp32 or bf16")
        if self.precision == "bf16" and not has_bf16:
            raise TrainingError("this GPU has no bf16: use --precision fp16 or fp32")
        return self

    def check_processes(self, count: int) -> None:
        """Refuses more processes than a step has functions.

        Raises:
            TrainingError: Some process would have nothing to read.
        """
        if count > self.batch_size:
            raise TrainingError(
                f"a step of {self.batch_size} functions cannot be shared by {count} processes: "
                "use a larger --batch-size"
            )


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
    "token_budget": _COUNT,
    "workers": (_whole(0), "a whole number of at least 0"),
    "learning_rate": _POSITIVE,
    "warmup": _SHARE,
    "weight_decay": _NOT_NEGATIVE,
    "clip": _POSITIVE,
    "mask_rate": (_between(0, 0.5), "above 0 and below 0.5"),
    "instruction_weight": _NOT_NEGATIVE,
    "environment_weight": _NOT_NEGATIVE,
    "contrast_weight": _NOT_NEGATIVE,
    "queue_size": _COUNT,
    "temperature": _POSITIVE,
    "momentum": _SHARE,
    "min_instructions": _COUNT,
    "validation_share": (lambda value: 0 <= value < 0.5, "at least 0 and below 0.5"),
    "validation_functions": _COUNT,
    "seed": (_whole(0), "a whole number of at least 0"),
    "checkpoint_every": _COUNT,
    "keep": _COUNT,
    "log_every": _COUNT,
    "validate_every": _COUNT,
}
