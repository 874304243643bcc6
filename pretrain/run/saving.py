"""What a run leaves behind while it goes on: model, checkpoint, the best model, the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from oscar.tokenizer import OscarTokenizer
from pretrain.data.encoded_corpus import Counts
from pretrain.engine.engine import gathered
from pretrain.engine.world import World
from pretrain.report.report import write_report
from pretrain.run.job import Job
from pretrain.training.checkpoint import CheckpointState
from pretrain.training.training import Training


class Saver:
    """Writes the files of a run that is stopped or goes on.

    Args:
        job: What the run is to do.
        training: What is trained.
        tokenizer: The tokenizers of both streams.
        counts: What became of the corpus.
        world: This process among the others.
    """

    def __init__(
        self,
        job: Job,
        training: Training,
        tokenizer: OscarTokenizer,
        counts: Counts,
        world: World,
    ) -> None:
        self._job, self._training, self._tokenizer = job, training, tokenizer
        self._counts, self._world = counts, world

    def save(self, state: CheckpointState) -> None:
        """Saves everything after `state.step` steps; every rank must call this."""
        folder = self._job.folder
        # The model first: killed in between, the run goes on from the checkpoint before and writes
        # the same model again. The other way round, the last checkpoint could stand without it.
        self.save_model(state.step)
        folder.checkpoints.save(self._training, state, self._world)
        best = folder.checkpoints.best()
        if self._world.any(best is not None and best == folder.checkpoints.latest()):
            self.save_model(state.step, folder.best)

    def save_model(self, done: int, folder: Path | None = None) -> None:
        """Writes the model, by default that of the run; every rank must call this."""
        with gathered(self._training.model.parameters()):
            if self._world.leads:
                self._training.model.save_pretrained(
                    folder or self._job.folder.path, self._tokenizer, training=self.facts(done)
                )

    def report(self) -> None:
        """Writes `report.html`."""
        if self._world.leads:
            write_report(self._job.folder.path)

    def facts(self, done: int) -> dict[str, Any]:
        """What to tell of the run after `done` steps, by name."""
        counts, config = self._counts, self._job.config
        return {
            "corpus": self._job.corpus_id[:12],
            "functions": counts.groups,
            "different functions": counts.classes,
            "views": counts.rows,
            "views left out as too short": counts.short,
            "views cut": counts.views_cut,
            "instructions cut": counts.instructions_cut,
            "tokens cut": counts.tokens_cut,
            "steps": f"{done} of {config.steps}",
            "functions per step": config.batch_size,
            "learning rate": config.learning_rate,
            "seed": config.seed,
            "precision": config.precision,
        }
