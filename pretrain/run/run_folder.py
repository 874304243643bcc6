"""The folder of a run: a model folder with what is needed to go on and to look back."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from ir_pipeline.atomic import write_atomically
from oscar.folder import CARD, CONFIG, WEIGHTS
from oscar.tokenizer import FILES
from pretrain.config import TrainingError
from pretrain.engine.world import World
from pretrain.training.checkpoint import CheckpointFolder

AUTO, NONE = "auto", "none"


class RunFolder:
    """Where a run keeps its files; the model's own files lie beside these.

    Args:
        path: The folder; it is made when something is written.
        keep: Checkpoints kept.

    Attributes:
        checkpoints: `checkpoints/`, to resume from.
        tensorboard: `tensorboard/`, curves.
        metrics: `metrics.jsonl`, the same figures as lines of JSON.
        encoded: `encoded/`, the corpus as token ids; it can be removed after the run.
        best: `best/`, the model of the best checkpoint, as a model folder.
        broken: `broken/`, the step on which a run was given up.
    """

    def __init__(self, path: Path, keep: int) -> None:
        self.path = path
        self.checkpoints = CheckpointFolder(path / "checkpoints", keep)
        self.tensorboard = path / "tensorboard"
        self.metrics = path / "metrics.jsonl"
        self.encoded = path / "encoded"
        self.best = path / "best"
        self.broken = path / "broken"
        self._options = path / "training.json"
        self._lock = path / "training.lock"

    def check_usable(self, resume: str) -> None:
        """Refuses a folder with something else in it, and a checkpoint from elsewhere.

        Args:
            resume: "auto", "none" or a checkpoint's path.

        Raises:
            TrainingError: The folder is a file, or neither empty nor the folder of a run; the path
                is no checkpoint of this run.
        """
        if resume not in (AUTO, NONE):
            checkpoint = Path(resume).resolve()
            if checkpoint.parent != self.checkpoints.path.resolve() or not checkpoint.is_dir():
                raise TrainingError(
                    f"{resume} is no checkpoint of {self.path}: see its checkpoints/"
                )
        if not self.path.exists() or self._options.is_file():
            return
        if not self.path.is_dir() or any(path != self._lock for path in self.path.iterdir()):
            raise TrainingError(
                f"{self.path} is there already and is no run: choose another --out, or empty it"
            )

    @contextmanager
    def locked(self, world: World) -> Iterator[None]:
        """Keeps other processes than this run's from training into the folder, which is made.

        The lock is the operating system's, so a killed process leaves none behind.

        Raises:
            TrainingError: Another run holds it.
        """
        with ExitStack() as stack:
            busy = False
            if world.leads:
                self.path.mkdir(parents=True, exist_ok=True)
                busy = not _lock(stack.enter_context(self._lock.open("ab")))
            if world.any(busy):
                raise TrainingError(
                    f"another process is training into {self.path}: wait for it, or choose "
                    "another --out"
                )
            yield

    def has_tokenizers(self) -> bool:
        """Whether both tokenizer files are there."""
        return all((self.path / name).is_file() for name in FILES.values())

    def has_model(self) -> bool:
        """Whether the model's own files, tokenizers included, are there."""
        files = (CONFIG, WEIGHTS, CARD)
        return self.has_tokenizers() and all((self.path / name).is_file() for name in files)

    def check_same_run(self, decisive: dict[str, Any]) -> None:
        """Refuses to go on with a run under other conditions.

        Args:
            decisive: Options that must be those of the run that the folder holds.

        Raises:
            TrainingError: The folder holds a run with another option.
        """
        if not self._options.is_file():
            return
        saved = json.loads(self._options.read_text(encoding="utf-8"))
        for name, value in decisive.items():
            if saved.get(name) != value:
                shown = f": {saved.get(name)}, now {value}" if name != "corpus" else ""
                raise TrainingError(
                    f"{self.path} holds a run with another {name}{shown}; "
                    "choose another --out, or start over with --resume none"
                )

    def begin(self, checkpoint: Path | None, options: dict[str, Any]) -> None:
        """Prepares the folder for a run from `checkpoint`; None: forgets the run that was here.

        The model of other steps goes first and the options come last, so that a process killed in
        between leaves nothing that a later one would take for a part of its run.
        """
        if checkpoint is None or checkpoint != self.checkpoints.latest():
            (self.path / WEIGHTS).unlink(missing_ok=True)
        self.checkpoints.turn_back(checkpoint)
        write_atomically(self._options, (json.dumps(options, indent=2) + "\n").encode())

    def checkpoint_to_resume(self, resume: str) -> Path | None:
        """The checkpoint that `resume` ("auto", "none" or a checkpoint's path) stands for."""
        if resume == NONE:
            return None
        if resume == AUTO:
            return self.checkpoints.latest()
        return self.checkpoints.path / Path(resume).resolve().name


def _lock(file: IO[bytes]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
