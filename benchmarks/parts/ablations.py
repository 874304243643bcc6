"""The configurations of the pretraining experiment, and the training of one of them."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from finetune.evaluation.retrieval import Retrieval
from finetune.representation import untrained
from ir_pipeline.atomic import write_atomically
from oscar.model import OscarModel
from pretrain.config import TrainingConfig
from pretrain.report.metrics import HELD_OUT, Figures, read_metrics
from pretrain.train import train

PARTS = 4
"""A training is interrupted so often, to see what has been learned by then."""

CALIBRATION_STEPS = 8
"""From how many steps it is told how many fit into the time."""


@dataclass(frozen=True)
class Ablation:
    """A model or a training that lacks or replaces one idea.

    Attributes:
        title: In the table.
        model: Fields of the model's config that differ.
        training: Options of the training that differ.
    """

    title: str
    model: dict[str, Any] = field(default_factory=dict)
    training: dict[str, Any] = field(default_factory=dict)


ABLATIONS = {
    "full": Ablation("NPRF + RPE, environment, PCE, MoCo"),
    "softmax": Ablation(
        "softmax + RPE", {"token_attention": "softmax", "function_attention": "softmax"}
    ),
    "no-environment": Ablation("without environment", {"streams": "instructions"}),
    "no-pce": Ablation("without PCE", {"pce": False}),
    "no-moco": Ablation("without MoCo", training={"contrast": "none"}),
    "head": Ablation("MoCo behind the paper's head", training={"head": "mlp"}),
    "in-batch": Ablation("in-batch contrast for MoCo", training={"contrast": "in-batch"}),
}


@dataclass
class Outcome:
    """What became of a configuration so far.

    Attributes:
        steps: To take in all.
        judged: How programs are found, by the number of steps taken, 0 first.
        metrics: The lines of the run's metrics.
    """

    steps: int
    judged: dict[int, Retrieval] = field(default_factory=dict)
    metrics: list[Figures] = field(default_factory=list)

    @property
    def finished(self) -> bool:
        """Whether the last step is judged."""
        return self.steps in self.judged

    def latest(self, name: str) -> float | None:
        """The last value of a figure of the metrics, None if there is none."""
        return next((line[name] for line in reversed(self.metrics) if name in line), None)

    def held_out(self, name: str) -> float | None:
        """The last value of a figure of held-out functions."""
        return self.latest(f"{HELD_OUT}{name}")

    @classmethod
    def read(cls, path: Path) -> Outcome | None:
        """The outcome in a file, None if there is no file."""
        if not path.is_file():
            return None
        values = json.loads(path.read_text(encoding="utf-8"))
        judged = {int(step): Retrieval(**figures) for step, figures in values["judged"].items()}
        return cls(values["steps"], judged, values["metrics"])

    def write(self, path: Path) -> None:
        """Writes the file whole or not at all."""
        write_atomically(path, (json.dumps(asdict(self), indent=1) + "\n").encode())


@dataclass(frozen=True)
class Experiment:
    """What all configurations have in common.

    Attributes:
        corpus: To train on.
        folder: Where each configuration has a folder of its own.
        minutes: Training time of each.
        options: Of the training.
        judge: Tells how well a model finds the programs of a problem.
    """

    corpus: Path
    folder: Path
    minutes: float
    options: TrainingConfig
    judge: Callable[[OscarModel], Retrieval]

    def run(self, name: str) -> Outcome:
        """Trains and judges the configuration of this name, from where it was stopped.

        A short training tells first how many steps a core of its own does in the time, so that the
        learning rate has come down at the end and other work on the machine changes no result.
        """
        ablation, place = ABLATIONS[name], self.folder / name
        place.mkdir(parents=True, exist_ok=True)
        options = replace(self.options, **ablation.training)
        outcome = Outcome.read(place / "outcome.json")
        if outcome is None:
            outcome = Outcome(self._steps(ablation, place / "calibration", options))
            outcome.write(place / "outcome.json")
        while not outcome.finished:
            self._take_part(ablation, place / "run", options, outcome)
            outcome.write(place / "outcome.json")
        return outcome

    def _steps(self, ablation: Ablation, place: Path, options: TrainingConfig) -> int:
        shutil.rmtree(place, ignore_errors=True)
        # The first encodes the corpus; of the others, one takes one step, the other so many more.
        _, least, more = (
            self._cost(ablation, place, replace(options, steps=steps))
            for steps in (1, 2, 3 + CALIBRATION_STEPS)
        )
        shutil.rmtree(place)
        return max(PARTS, round(60 * self.minutes * CALIBRATION_STEPS / (more - least)))

    def _cost(self, ablation: Ablation, place: Path, options: TrainingConfig) -> float:
        """Seconds of CPU that it takes to go on to `options.steps`."""
        start = time.process_time()
        self._train(ablation, place, options)
        return time.process_time() - start

    def _take_part(
        self, ablation: Ablation, place: Path, options: TrainingConfig, outcome: Outcome
    ) -> None:
        steps, done = outcome.steps, max(outcome.judged, default=0)
        last = done >= steps * (1 - 1.5 / PARTS)
        minutes = None if last else self.minutes / PARTS
        every = max(1, steps // 20)
        part = replace(options, steps=steps, minutes=minutes, validate_every=every)
        self._train(ablation, place, part)
        model = OscarModel.from_pretrained(place)
        outcome.metrics = read_metrics(place / "metrics.jsonl")
        if not outcome.judged:
            outcome.judged[0] = self.judge(untrained(model, options.seed))
        outcome.judged[int(outcome.metrics[-1]["step"])] = self.judge(model)

    def _train(self, ablation: Ablation, place: Path, options: TrainingConfig) -> None:
        """Trains in silence: what a run prints goes into a file beside its folder."""
        with (
            place.with_name(f"{place.name}.log").open("a", encoding="utf-8") as log,
            redirect_stdout(log),
        ):
            train(self.corpus, place, options, preset="tiny", model=ablation.model)
