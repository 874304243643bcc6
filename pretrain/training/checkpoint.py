"""Checkpoints: written whole or not at all, the newest few and the best kept.

A checkpoint is a folder such as `step-00000500`: the state of training
(`pretrain.training.state`) and `state.json` that says what it fits. It is written under another
name and renamed when complete, and `latest`, which names it, is replaced last: a process killed at
any moment leaves the checkpoint before. There is no state of random generators to keep and no
place in the data, because every step is made from the run's seed and the step's number.
"""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from ir_pipeline.atomic import write_atomically
from pretrain.config import TrainingError
from pretrain.engine.world import World
from pretrain.training.state import save_state
from pretrain.training.training import Training

_INCOMING = ".incoming"
_LATEST, _BEST = "latest", "best"
_STATE = "state.json"
_NAME = re.compile(r"step-(\d{8,})")


@dataclass(frozen=True, slots=True)
class CheckpointState:
    """What a checkpoint fits: `state.json`.

    Attributes:
        step: Steps done.
        vocabulary: Hash of the tokenizers whose ids the weights know.
        skipped: Steps among them that were skipped because a gradient was not finite.
        broken: How many of the last steps in a row were skipped.
        seconds: Time trained, over all processes that took the run up one after the other.
        score: How good the model is, lower being better: its loss on what is held out; None where
            it was not asked.
    """

    step: int
    vocabulary: str
    skipped: int = 0
    broken: int = 0
    seconds: float = 0.0
    score: float | None = None

    def check_resumable(self, vocabulary: str) -> None:
        """Refuses other tokenizers.

        Raises:
            TrainingError: The tokenizers are others; the message says what to do.
        """
        if self.vocabulary != vocabulary:
            raise TrainingError(
                f"the checkpoint knows vocabulary {self.vocabulary[:12]}, the run's tokenizers are "
                f"{vocabulary[:12]}: put its tokenizer files back, or start over with --resume none"
            )


def read_state(checkpoint: Path) -> CheckpointState:
    """What the checkpoint folder fits.

    Raises:
        TrainingError: The folder is no complete checkpoint.
    """
    try:
        return CheckpointState(**json.loads((checkpoint / _STATE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        raise TrainingError(
            f"{checkpoint} is no checkpoint: give a folder such as RUN/checkpoints/step-00000500"
        ) from None


class CheckpointFolder:
    """The `checkpoints` folder of a run.

    Args:
        path: The folder; the first save makes it.
        keep: Checkpoints kept, newest first, besides the best.
    """

    def __init__(self, path: Path, keep: int) -> None:
        self.path = path
        self.keep = keep

    def latest(self) -> Path | None:
        """The newest complete checkpoint, or None when there is none."""
        return self._named(_LATEST)

    def best(self) -> Path | None:
        """The checkpoint with the lowest score, the older of equal ones; None when none has one."""
        return self._named(_BEST)

    def save(self, training: Training, state: CheckpointState, world: World) -> None:
        """Writes a checkpoint; every rank must call this at the same step."""
        written = self.path / _INCOMING / f"step-{state.step:08d}"
        if world.leads:
            shutil.rmtree(written.parent, ignore_errors=True)
            written.mkdir(parents=True)
        save_state(written if world.leads else None, training.engine, training.optimiser)
        if world.leads:
            (written / _STATE).write_text(json.dumps(asdict(state)), encoding="utf-8")
            self._publish(written)
        world.wait()

    def turn_back(self, checkpoint: Path | None) -> None:
        """Makes `checkpoint` the latest and removes those after it; None removes all."""
        kept = 0
        if checkpoint is None:
            (self.path / _LATEST).unlink(missing_ok=True)
        else:
            self._name(_LATEST, checkpoint)
            kept = self._checkpoints().index(checkpoint) + 1
        for late in self._checkpoints()[kept:]:
            self._remove(late)
        self._name_best()

    def _publish(self, written: Path) -> None:
        checkpoint = written.rename(self.path / written.name)
        self._name(_LATEST, checkpoint)
        best = self._name_best()
        for old in self._checkpoints()[: -self.keep]:
            if old != best:
                self._remove(old)
        shutil.rmtree(written.parent)

    def _name_best(self) -> Path | None:
        scores = {checkpoint: read_state(checkpoint).score for checkpoint in self._checkpoints()}
        known = {checkpoint: score for checkpoint, score in scores.items() if score is not None}
        if not known:
            (self.path / _BEST).unlink(missing_ok=True)
            return None
        best = min(known, key=lambda checkpoint: known[checkpoint])
        self._name(_BEST, best)
        return best

    def _name(self, file: str, checkpoint: Path) -> None:
        write_atomically(self.path / file, f"{checkpoint.name}\n".encode())

    def _named(self, file: str) -> Path | None:
        try:
            return self.path / (self.path / file).read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            return None

    def _checkpoints(self) -> list[Path]:
        if not self.path.is_dir():
            return []
        return sorted(path for path in self.path.iterdir() if _NAME.fullmatch(path.name))

    def _remove(self, checkpoint: Path) -> None:
        """Renamed first, so that a half-removed checkpoint has no checkpoint's name."""
        doomed = self.path / _INCOMING / f"old-{checkpoint.name}"
        doomed.parent.mkdir(exist_ok=True)
        shutil.rmtree(checkpoint.rename(doomed))
