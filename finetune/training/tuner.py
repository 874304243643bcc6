"""Fine-tuning from the first step to the last, with the best model kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from torch import Tensor

from finetune.training.config import RunOptions
from finetune.training.items import ItemBatch
from finetune.training.model import TuningModel
from finetune.training.steps import Step, Steps
from pretrain.data.feed import feed
from pretrain.engine.engine import accumulate, at_hand, autocast, build_engine, gathered, take_step
from pretrain.engine.schedule import learning_rate
from pretrain.engine.world import World
from pretrain.objective.contrast import deal
from pretrain.report.metrics import HELD_OUT, Figures, MetricsLog
from pretrain.run.progress import Meter, ProgressReport
from pretrain.run.stopping import StopRequest

METRICS = "metrics.jsonl"
Validate = Callable[[], float]
"""How good the model is as it stands, the higher the better."""


class Tuner:
    """Tunes a model.

    Args:
        model: what to train, on the device of `world`; it is changed.
        steps: what to read.
        config: the run's options, with a precision that the device can train in.
        world: this process among the others.
        out: folder of the tuned model, its metrics and TensorBoard log.
        facts: what the model card is to say of the training.

    Attributes:
        best: the highest score so far.
    """

    def __init__(
        self,
        model: TuningModel,
        steps: Steps,
        config: RunOptions,
        world: World,
        out: Path,
        facts: Mapping[str, Any],
    ) -> None:
        self._model, self._facts = model, {**asdict(config), **facts}
        self._steps, self._config, self._world, self._out = steps, config, world, out
        self._engine_config = config.engine.resolved(world.device)
        self._engine, self._optimiser = build_engine(model, self._engine_config, world)
        self.best = float("-inf")

    def run(
        self, validate: Validate, console: Console, refresh: Callable[[], None] | None = None
    ) -> int:
        """Train to the last step or until the time is up, and leave the best model in `out`.

        Args:
            validate: judges the model; the first time before the first step.
            console: where to print.
            refresh: called before the first step and after each validation but the last, to
                choose what is read by the model as it stands.

        Returns:
            The steps taken.

        Raises:
            KeyboardInterrupt: Ctrl-C or SIGTERM; the best model so far is saved.
        """
        config, done = self._config, 0
        steps, minutes = self._read(refresh), config.budget_minutes
        with ExitStack() as stack:
            stop = stack.enter_context(StopRequest(minutes))
            log = stack.enter_context(self._log())
            self._judge(validate, {"step": 0}, log, console)
            meter = Meter()
            report = ProgressReport(console, 0, config.steps, meter, "fine-tuning", minutes)
            stack.enter_context(report)
            while done < config.steps and not self._world.any(stop.due):
                losses = []
                for step in islice(steps, config.validate_every):
                    losses.append(self._step(step, done, self._rate(done, stop)))
                    done += 1
                    meter.add(step.counts)
                    report.show(done, losses[-1])
                    if self._world.any(stop.due):
                        break
                mean = sum(losses) / len(losses)
                self._judge(validate, {"step": done, "loss": mean, **meter.line()}, log, console)
            interrupted = self._world.any(stop.signalled)
        if interrupted:
            console.print(
                f"stopped after step {done}; the best model so far is in {self._out}: another run "
                "replaces it with --force",
                soft_wrap=True,
            )
            raise KeyboardInterrupt
        return done

    def _read(self, refresh: Callable[[], None] | None) -> Iterator[Step]:
        """All steps in order.

        Where `refresh` chooses what is read, those up to the next validation are made after it.
        """
        steps, workers = self._config.steps, self._config.workers
        span = steps if refresh is None else self._config.validate_every
        for start in range(0, steps, span):
            if refresh is not None:
                with at_hand(self._model):
                    refresh()
            yield from feed(self._steps, start, min(steps, start + span), workers)

    def _log(self) -> AbstractContextManager[MetricsLog | None]:
        """The log of the run, which one process writes."""
        if not self._world.leads:
            return nullcontext()
        return MetricsLog(self._out / METRICS, self._out / "tensorboard", -1)

    def _judge(
        self, validate: Validate, figures: Figures, log: MetricsLog | None, console: Console
    ) -> None:
        """Judge the model, say so, and save it if it is the best so far."""
        with at_hand(self._model), autocast(self._engine_config, self._world.device):
            score = validate()
        if log is not None:
            log.write({**figures, f"{HELD_OUT}score": score})
        console.print(f"step {figures['step']}: {score:.1%} on what is held out")
        if score > self.best:
            self.best = score
            with gathered(self._model.parameters()):
                if self._world.leads:
                    self._model.save(self._out, self._facts)

    def _rate(self, number: int, stop: StopRequest) -> float:
        """The learning rate of a step, which comes down to zero with the steps or with the time.

        The leading process looks at the clock for all.
        """
        if self._config.budget_minutes is not None:
            used = self._world.sum(torch.tensor(stop.used if self._world.leads else 0.0))
            number = max(number, int(used * self._config.steps))
        return learning_rate(self._engine_config, number)

    def _step(self, step: Step, number: int, rate: float) -> float:
        """Take one optimiser step and give its loss."""
        device = self._world.device
        labels = step.labels.to(device)
        parts = [part.to(device) for part in step.parts]
        known = self._known(parts, len(labels))
        torch.manual_seed(self._config.seed + number * self._world.size + self._world.rank)
        losses = []
        for place, part in enumerate(parts, 1):
            loss = self._engine(part, labels, known)
            accumulate(self._engine, loss, self._optimiser.scale.value, last=place == len(parts))
            losses.append(loss.detach())
        take_step(self._engine, self._optimiser, rate)
        if self._model.compares:
            return float(losses[-1])
        return float(self._world.sum(torch.stack(losses).sum()))

    def _known(self, parts: list[ItemBatch], size: int) -> Tensor | None:
        """Vectors of all items of the step, where they are compared and no batch holds them all.

        As Gao et al. cache them ("Scaling Deep Contrastive Learning Batch Size under Memory
        Limited Setup", 2021): the step may be larger than memory, at the price of reading it twice.
        """
        self._engine.train()
        if not self._model.compares or (len(parts) == 1 and self._world.size == 1):
            return None
        self._engine.eval()
        precision = autocast(self._engine_config, self._world.device)
        with torch.no_grad(), at_hand(self._model), precision:
            vectors = [self._model.vectors(part) for part in parts]
        self._engine.train()
        return deal(vectors, [part.places for part in parts], size)
