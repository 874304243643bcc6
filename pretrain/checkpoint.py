"""Checkpoints: written whole or not at all, the newest few kept, continued at the same place.

A checkpoint is a folder such as `step-00000500`: weights and optimiser as DeepSpeed saves them,
momentum encoder and queue beside them, and `state.json` that says what it fits. It is written
under another name and renamed when complete, and `latest`, which names it, is replaced last: a
process killed at any moment leaves the checkpoint before. There is no state of random generators
to keep, because every step seeds them from the run's seed and the step's number.
"""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ir_pipeline.atomic import write_atomically
from pretrain.config import TrainingError
from pretrain.engine import World
from pretrain.training import Training

_INCOMING = ".incoming"
_LATEST = "latest"
_STATE = "state.json"
_NAME = re.compile(r"step-(\d{8,})")


@dataclass(frozen=True, slots=True)
class CheckpointState:
    """What a checkpoint fits: `state.json`.

    Attributes:
        step: Steps done.
        world_size: Number of training processes.
        zero_stage: DeepSpeed ZeRO stage.
        vocabulary: Hash of the tokenizers whose ids the weights know.
        skipped: Steps among them that were skipped because their loss was not finite.
        broken: How many of the last steps in a row were skipped.
    """

    step: int
    world_size: int
    zero_stage: int
    vocabulary: str
    skipped: int = 0
    broken: int = 0

    def check_resumable(self, world_size: int, vocabulary: str) -> None:
        """Refuses other tokenizers, and another number of processes that share the optimiser.

        ZeRO stage 0 keeps the whole optimiser on every rank, so any number of processes goes on.

        Raises:
            TrainingError: The tokenizers are others, or the saved state was spread by ZeRO 1 or 2;
                the message says what to run.
        """
        if self.vocabulary != vocabulary:
            raise TrainingError(
                f"the checkpoint knows vocabulary {self.vocabulary[:12]}, the run's tokenizers are "
                f"{vocabulary[:12]}: put its tokenizer files back, or start over with --resume none"
            )
        if self.zero_stage > 0 and self.world_size != world_size:
            raise TrainingError(
                f"the checkpoint was written by {self.world_size} processes with ZeRO stage "
                f"{self.zero_stage} and cannot go on with {world_size}: run "
                f"{self.world_size} again (only ZeRO stage 0 continues at any number)"
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
        keep: Checkpoints kept, newest first.
    """

    def __init__(self, path: Path, keep: int) -> None:
        self.path = path
        self.keep = keep

    def latest(self) -> Path | None:
        """The newest complete checkpoint, or None when there is none."""
        try:
            return self.path / (self.path / _LATEST).read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            return None

    def save(self, training: Training, state: CheckpointState, world: World) -> None:
        """Writes a checkpoint; every rank must call this at the same step."""
        incoming = self.path / _INCOMING
        name = f"step-{state.step:08d}"
        if world.leads:
            shutil.rmtree(incoming, ignore_errors=True)
        world.wait()
        extra = {
            "momentum": training.momentum.encoder.state_dict(),
            "queue": training.queue.state_dict(),
            "scaler": _scaler_state(training.engine),
        }
        training.engine.save_checkpoint(str(incoming), name, extra, save_latest=False)
        if world.leads:
            (incoming / name / _STATE).write_text(json.dumps(asdict(state)), encoding="utf-8")
            self._publish(incoming / name)
        world.wait()

    def _publish(self, written: Path) -> None:
        written.rename(self.path / written.name)
        write_atomically(self.path / _LATEST, f"{written.name}\n".encode())
        for old in self._checkpoints()[: -self.keep]:
            self._remove(old)
        shutil.rmtree(written.parent)

    def turn_back(self, checkpoint: Path | None) -> None:
        """Makes `checkpoint` the latest and removes those after it; None removes all."""
        kept = 0
        if checkpoint is None:
            (self.path / _LATEST).unlink(missing_ok=True)
        else:
            write_atomically(self.path / _LATEST, f"{checkpoint.name}\n".encode())
            kept = self._checkpoints().index(checkpoint) + 1
        for late in self._checkpoints()[kept:]:
            self._remove(late)

    def _checkpoints(self) -> list[Path]:
        if not self.path.is_dir():
            return []
        return sorted(path for path in self.path.iterdir() if _NAME.fullmatch(path.name))

    def _remove(self, checkpoint: Path) -> None:
        """Renamed first, so that a half-removed checkpoint has no checkpoint's name."""
        doomed = self.path / _INCOMING / f"old-{checkpoint.name}"
        doomed.parent.mkdir(exist_ok=True)
        shutil.rmtree(checkpoint.rename(doomed))


def load(checkpoint: Path, training: Training) -> None:
    """Restores engine, momentum encoder and queue from a checkpoint that fits them.

    Raises:
        TrainingError: The files are incomplete.
    """
    found, extra = training.engine.load_checkpoint(str(checkpoint.parent), checkpoint.name)
    if found is None:
        raise TrainingError(f"{checkpoint} is incomplete: resume from another checkpoint")
    training.momentum.encoder.load_state_dict(extra["momentum"])
    training.queue.load_state_dict(extra["queue"])
    if extra["scaler"] is not None:
        training.engine.torch_autocast_z0_gradscaler.load_state_dict(extra["scaler"])


def _scaler_state(engine: Any) -> dict[str, Any] | None:
    """DeepSpeed does not save the loss scale of fp16 autocast itself."""
    scaler = engine.torch_autocast_z0_gradscaler
    return None if scaler is None else scaler.state_dict()
