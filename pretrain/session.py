"""Sets a run up, from a corpus or from a checkpoint, and takes it to its last step."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from typing import Any

import torch
from rich.console import Console
from rich.table import Table
from torch import Tensor

from oscar.config import OscarConfig
from oscar.tokenizer import OscarTokenizer
from pretrain.batches import Batches
from pretrain.checkpoint import load
from pretrain.data import EncodedCorpus, encode_corpus
from pretrain.engine import World
from pretrain.job import Job
from pretrain.metrics import MetricsLog, read_metrics
from pretrain.progress import ProgressReport, summary
from pretrain.stopping import StopRequest
from pretrain.trainer import Trainer
from pretrain.training import build_training


class Session:
    """A run in this process, ready to train.

    Args:
        job: What to do.
        world: This process among the others.
        console: Where rank 0 prints.

    Attributes:
        tokenizer: The tokenizers of both streams.
        corpus: The corpus as token ids.
        training: Model, optimiser, momentum encoder and queue.
    """

    def __init__(self, job: Job, world: World, console: Console) -> None:
        self._job, self._world, self._console = job, world, console
        self.tokenizer: OscarTokenizer = world.lead_first(self._load_tokenizer)
        self._shape = OscarConfig.preset(job.preset, **self.tokenizer.config_fields())
        self.corpus: EncodedCorpus = world.lead_first(self._encode)
        self._start = job.state(world, self.tokenizer.hash)
        self.training = build_training(self._shape, job.config, world)
        if job.checkpoint is not None:
            load(job.checkpoint, self.training)
        batches = Batches(self.corpus, self._shape, job.config, world.rank, world.size)
        self._trainer = Trainer(self.training, batches, job.config, world)
        self._trainer.skipped, self._trainer.broken = self._start.skipped, self._start.broken
        if world.leads and job.checkpoint is not None:
            self._begin()

    def _begin(self) -> None:
        job = self._job
        job.folder.begin(job.checkpoint, job.preset, job.corpus_id, job.config)

    def _load_tokenizer(self) -> OscarTokenizer:
        job, fresh = self._job, self._job.checkpoint is None
        if self._world.leads and fresh:
            self._begin()  # first, so that no checkpoint ever stands beside other tokenizers
        if self._world.leads and (fresh or not job.folder.has_tokenizers()):
            OscarTokenizer.train(job.corpus).save(job.folder.path)
        return OscarTokenizer.load(job.folder.path)

    def _encode(self) -> EncodedCorpus:
        return encode_corpus(
            self._job.corpus,
            self.tokenizer,
            self._job.folder.encoded,
            shortest=self._job.config.min_instructions,
            shape=self._shape,
        )

    def run(self) -> None:
        """Trains to the last step, or until stopped, and leaves checkpoint and model behind.

        Raises:
            KeyboardInterrupt: Ctrl-C or SIGTERM stopped it; all is saved.
            TrainingError: The loss stayed without a finite value.
        """
        config = self._job.config
        functions = config.batch_size * self._world.size
        report = ProgressReport(self._console, self._start.step, config.steps, functions)
        with StopRequest(config.minutes) as stop, report:
            done = self._train(stop, report)
            interrupted = self._world.any(stop.signalled)
        if done < config.steps:
            self._console.print(f"stopped after step {done}; the same command goes on from there")
        if interrupted:
            raise KeyboardInterrupt
        self._console.print(self._summary(done, report))

    def _train(self, stop: StopRequest, report: ProgressReport) -> int:
        config, folder = self._job.config, self._job.folder
        with ExitStack() as stack:
            log = None
            if self._world.leads:
                log = MetricsLog(folder.metrics, folder.tensorboard, self._start.step)
                stack.enter_context(log)
            for done in range(self._start.step + 1, config.steps + 1):
                figures = self._trainer.step(done - 1)
                report.show(done, float(figures["loss"]))
                ended = self._world.any(stop.due) or done == config.steps
                sound = self._trainer.broken == 0
                if sound and (ended or done % config.log_every == 0):
                    self._log(log, done, figures, report.speed(done))
                # At the end in any case: a skipped step has left the weights as they were.
                if ended or (sound and done % config.checkpoint_every == 0):
                    self._save(done)
                if ended:
                    return done
        # No step was left to take, but the model of the last one is missing or of a later one.
        self._save_model(self._start.step)
        return self._start.step

    def _log(
        self, log: MetricsLog | None, done: int, figures: dict[str, Tensor], speed: float
    ) -> None:
        means = self._world.mean(torch.stack([value.float() for value in figures.values()]))
        if log is not None:
            log.write(
                {
                    "step": done,
                    **dict(zip(figures, means.tolist(), strict=True)),
                    "learning_rate": self._job.config.learning_rate_at(done - 1),
                    "functions_per_second": speed,
                    "skipped": self._trainer.skipped,
                }
            )

    def _save(self, done: int) -> None:
        state = replace(
            self._start,
            step=done,
            world_size=self._world.size,
            skipped=self._trainer.skipped,
            broken=self._trainer.broken,
        )
        # The model first: killed in between, the run goes on from the checkpoint before and writes
        # the same model again. The other way round, the last checkpoint could stand without it.
        self._save_model(done)
        self._job.folder.checkpoints.save(self.training, state, self._world)

    def _save_model(self, done: int) -> None:
        if self._world.leads:
            self.training.model.save_pretrained(
                self._job.folder.path, self.tokenizer, training=self._facts(done)
            )

    def _facts(self, done: int) -> dict[str, Any]:
        counts, config = self.corpus.counts, self._job.config
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
            "functions per step": config.batch_size * self._world.size,
            "learning rate": config.learning_rate,
            "seed": config.seed,
            "precision": config.precision,
        }

    def _summary(self, done: int, report: ProgressReport) -> Table:
        facts = self._facts(done)
        facts["steps skipped"] = self._trainer.skipped
        facts["functions per second"] = f"{report.speed(done):.1f}"
        facts["time"] = str(timedelta(seconds=round(report.seconds)))
        folder = self._job.folder
        return summary(read_metrics(folder.metrics), facts, folder.path)
