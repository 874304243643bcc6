"""The options of a fine-tuning run, checked when built."""

from __future__ import annotations

from dataclasses import dataclass

from pretrain.config import TrainingConfig, TrainingError


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What every fine-tuning run decides besides data and model.

    Attributes:
        steps: Optimiser steps; the learning rate reaches zero after the last.
        budget_minutes: Stop after training this long; the learning rate reaches zero by then, and
            the best model so far is kept.
        temperature: Divisor of the cosines in the loss.
        learning_rate: Peak learning rate.
        warmup: Share of the steps over which it rises.
        weight_decay: Decoupled weight decay of AdamW.
        token_budget: Tokens, of both streams, that a process reads at once; entries where the
            token level is frozen.
        entry_dropout: Probability of hiding an instruction from the function level, so that no
            single one decides.
        freeze_token_level: Train the function level alone. What the token level makes of the
            functions is computed once and kept, so that a step costs a fraction.
        validate_every: Steps between validations.
        seed: Seed of batches, views and dropout.
        precision: fp32, bf16 or fp16 (GPU only); auto: what the device does best.
        zero_stage: DeepSpeed ZeRO stage, 0 to 3.
        workers: Processes that make batches ahead; 0: none.

    Raises:
        TrainingError: An option is out of its range; the message names it.
    """

    steps: int = 2000
    budget_minutes: float | None = None
    temperature: float = 0.07
    learning_rate: float = 5e-4
    warmup: float = 0.05
    weight_decay: float = 0.01
    token_budget: int = 65_536
    entry_dropout: float = 0.0
    freeze_token_level: bool = False
    validate_every: int = 200
    seed: int = 0
    precision: str = "auto"
    zero_stage: int = 0
    workers: int = 1

    def __post_init__(self) -> None:
        _ = self.engine
        if not 0 <= self.entry_dropout < 1:
            raise TrainingError(
                f"entry_dropout is {self.entry_dropout}; it must be from 0 to below 1"
            )

    @property
    def items_per_step(self) -> int:
        """Items of a step, over all processes."""
        raise NotImplementedError

    @property
    def engine(self) -> TrainingConfig:
        """The options that the engine shares with pretraining.

        Raises:
            TrainingError: one of them is out of its range.
        """
        return TrainingConfig(
            steps=self.steps,
            minutes=self.budget_minutes,
            batch_size=self.items_per_step,
            token_budget=self.token_budget,
            workers=self.workers,
            learning_rate=self.learning_rate,
            warmup=self.warmup,
            weight_decay=self.weight_decay,
            temperature=self.temperature,
            validate_every=self.validate_every,
            seed=self.seed,
            precision=self.precision,
            zero_stage=self.zero_stage,
        )


@dataclass(frozen=True, slots=True)
class TuningConfig(RunOptions):
    """The options of a run that pulls the items of a label together.

    Attributes:
        labels_per_batch: Different labels of a step.
        items_per_label: Items of each; each is drawn in one of its views.
        entry_dropout: Probability of hiding an instruction from the function level.
        proxy_weight: Weight of a second loss, which compares each item with a learned vector of
            every label; it helps where labels have many items; 0: none.
        hard_negatives: From the first validation on, put labels together that are alike.

    Raises:
        TrainingError: An option is out of its range; the message names it.
    """

    entry_dropout: float = 0.2
    labels_per_batch: int = 16
    items_per_label: int = 4
    proxy_weight: float = 1.0
    hard_negatives: bool = False

    def __post_init__(self) -> None:
        _check_at_least(self, labels_per_batch=2, items_per_label=2, proxy_weight=0)
        RunOptions.__post_init__(self)

    @property
    def items_per_step(self) -> int:
        """Items of a step, over all processes."""
        return self.labels_per_batch * self.items_per_label


@dataclass(frozen=True, slots=True)
class BuildsConfig(TuningConfig):
    """The options of a run whose labels are functions, many of few items.

    Attributes:
        labels_per_batch: Different functions of a step.
        items_per_label: Views of each.
        entry_dropout: Probability of hiding an instruction from the function level.
        proxy_weight: Weight of a second loss, which compares each view with a learned vector of
            every function; 0: none.

    Raises:
        TrainingError: An option is out of its range; the message names it.
    """

    entry_dropout: float = 0.0
    labels_per_batch: int = 32
    items_per_label: int = 2
    proxy_weight: float = 0.0


@dataclass(frozen=True, slots=True)
class PairConfig(RunOptions):
    """The options of a run that brings descriptions and functions together.

    Attributes:
        batch_size: Pairs of a step; each is compared with all others.
        dim: Numbers in the vectors that are compared.

    Raises:
        TrainingError: An option is out of its range; the message names it.
    """

    batch_size: int = 64
    dim: int = 256

    def __post_init__(self) -> None:
        _check_at_least(self, batch_size=2, dim=1)
        RunOptions.__post_init__(self)

    @property
    def items_per_step(self) -> int:
        """Pairs of a step, over all processes."""
        return self.batch_size


@dataclass(frozen=True, slots=True)
class ClassConfig(RunOptions):
    """The options of a run that learns which class an item is of.

    Attributes:
        batch_size: Items of a step.

    Raises:
        TrainingError: An option is out of its range; the message names it.
    """

    batch_size: int = 64

    @property
    def items_per_step(self) -> int:
        """Items of a step, over all processes."""
        return self.batch_size


def _check_at_least(options: RunOptions, **least: int) -> None:
    """Refuse numbers that are too small.

    Raises:
        TrainingError: one of them is; the message names it.
    """
    for name, number in least.items():
        if getattr(options, name) < number:
            raise TrainingError(f"{name} is {getattr(options, name)}; it must be at least {number}")
