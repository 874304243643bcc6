"""Sets a run up, from a corpus or from a checkpoint, and takes it to its last step."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta

from rich.console import Console
from rich.table import Table

from oscar.config import OscarConfig
from oscar.tokenizer import OscarTokenizer
from pretrain.data.batches import Batches
from pretrain.data.encode import encode_corpus
from pretrain.data.encoded_corpus import EncodedCorpus
from pretrain.data.feed import feed
from pretrain.engine.engine import autocast
from pretrain.engine.schedule import learning_rate
from pretrain.engine.world import World
from pretrain.report.metrics import Figures, MetricsLog, read_metrics
from pretrain.report.validation import BEST, Validation
from pretrain.run.job import Job
from pretrain.run.progress import Meter, ProgressReport, summary
from pretrain.run.saving import Saver
from pretrain.run.stopping import StopRequest
from pretrain.training.trainer import Trainer
from pretrain.training.training import build_training


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
        shape = job.shape(**self.tokenizer.config_fields())
        self.corpus: EncodedCorpus = world.lead_first(lambda: self._encode(shape))
        self._start = job.state(self.tokenizer.hash)
        # First, because their workers take seconds to be ready.
        batches = Batches(self.corpus, shape, job.config, world.rank, world.size)
        self._steps = feed(batches, self._start.step, job.config.steps, job.config.workers)
        self.training = build_training(shape, job.config, world, job.checkpoint)
        self._trainer = Trainer(self.training, job.config, world, job.folder.broken)
        self._trainer.skipped, self._trainer.broken = self._start.skipped, self._start.broken
        self._validation = Validation(self.corpus, self.tokenizer, shape, job.config)
        self._saver = Saver(job, self.training, self.tokenizer, self.corpus.counts, world)
        self._meter = Meter(self._start.seconds)
        if world.leads and job.checkpoint is not None:
            job.folder.begin(job.checkpoint, job.options)

    def _load_tokenizer(self) -> OscarTokenizer:
        job, fresh = self._job, self._job.checkpoint is None
        if self._world.leads and fresh:
            # First, so that no checkpoint ever stands beside other tokenizers.
            job.folder.begin(None, job.options)
        if self._world.leads and (fresh or not job.folder.has_tokenizers()):
            OscarTokenizer.train(job.corpus).save(job.folder.path)
        return OscarTokenizer.load(job.folder.path)

    def _encode(self, shape: OscarConfig) -> EncodedCorpus:
        return encode_corpus(
            self._job.corpus,
            self.tokenizer,
            self._job.folder.encoded,
            shortest=self._job.config.min_instructions,
            shape=shape,
            console=self._console,
        )

    def run(self) -> None:
        """Trains to the last step, or until stopped, and leaves checkpoint and model behind.

        Raises:
            KeyboardInterrupt: Ctrl-C or SIGTERM stopped it; all is saved.
            TrainingError: The gradients stayed without finite values.
        """
        config = self._job.config
        report = ProgressReport(
            self._console,
            self._start.step,
            config.steps,
            self._meter,
            "pretraining",
            config.minutes,
        )
        with StopRequest(config.minutes) as stop, report:
            done = self._train(stop, report)
            interrupted = self._world.any(stop.signalled)
        self._saver.report()
        if done < config.steps:
            self._console.print(f"stopped after step {done}; the same command goes on from there")
        if interrupted:
            raise KeyboardInterrupt
        self._console.print(self._summary(done))

    def _train(self, stop: StopRequest, report: ProgressReport) -> int:
        config, folder = self._job.config, self._job.folder
        with ExitStack() as stack:
            log = None
            if self._world.leads:
                log = MetricsLog(folder.metrics, folder.tensorboard, self._start.step)
                stack.enter_context(log)
            for step in self._steps:
                done = step.number + 1
                figures = self._trainer.step(step)
                self._meter.add({name: figures.pop(name) for name in step.counts})
                report.show(done, figures["loss"])
                ended = self._world.any(stop.due) or done == config.steps
                self._note(done, figures, log, ended)
                if ended:
                    return done
        # No step was left to take, but the model of the last one is missing or of a later one.
        self._saver.save_model(self._start.step)
        return self._start.step

    def _note(self, done: int, figures: Figures, log: MetricsLog | None, ended: bool) -> None:
        """Validates, logs and saves after `done` steps, whatever is due."""
        config = self._job.config
        sound = self.training.optimiser.applied
        due = sound and (done % config.validate_every == 0 or done == config.steps)
        validated = self._validate() if due else {}
        if sound and (ended or validated or done % config.log_every == 0):
            self._log(log, done, {**figures, **validated})
        # At the end in any case: a skipped step has left the weights as they were.
        if ended or (sound and done % config.checkpoint_every == 0):
            state = replace(
                self._start,
                step=done,
                skipped=self._trainer.skipped,
                broken=self._trainer.broken,
                seconds=self._meter.seconds,
                # Where nothing is held out, the loss of this step stands in.
                score=validated.get(BEST, figures["loss"]) if due else None,
            )
            self._saver.save(state)
            self._saver.report()

    def _validate(self) -> Figures:
        with autocast(self._job.config, self._world.device):
            return self._validation(self.training.engine.module)

    def _log(self, log: MetricsLog | None, done: int, figures: Figures) -> None:
        rate = learning_rate(self._job.config, done - 1)
        line = {"step": done, **figures, "learning_rate": rate, "skipped": self._trainer.skipped}
        if log is not None:
            log.write({**line, **self._meter.line()})

    def _summary(self, done: int) -> Table:
        folder, meter = self._job.folder, self._meter
        facts = {
            **self._saver.facts(done),
            "steps skipped": self._trainer.skipped,
            "functions per second": f"{meter.speed('functions'):.1f}",
            "tokens per second": f"{meter.speed('tokens'):,.0f}",
            "time": str(timedelta(seconds=round(meter.seconds))),
        }
        return summary(read_metrics(folder.metrics), facts, folder.path)
