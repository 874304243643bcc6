"""What a run is to do, and where it stands before its first step here."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from oscar.config import OscarConfig
from pretrain.config import FREE_OPTIONS, TrainingConfig
from pretrain.run.run_folder import RunFolder
from pretrain.training.checkpoint import CheckpointState, read_state


@dataclass(frozen=True, slots=True)
class Job:
    """What a run is to do.

    Attributes:
        corpus: Folder of the corpus.
        corpus_id: Hash of its content.
        preset: Size of the model.
        model: Fields of the `OscarConfig` that differ from the preset.
        config: The run's options.
        folder: Where the run keeps its files.
        checkpoint: What to resume from; None: start over.
    """

    corpus: Path
    corpus_id: str
    preset: str
    model: dict[str, Any]
    config: TrainingConfig
    folder: RunFolder
    checkpoint: Path | None

    @property
    def options(self) -> dict[str, Any]:
        """Everything that decides the run, by name, and options that only say when to stop."""
        decisive = {"preset": self.preset, "model": self.model, "corpus": self.corpus_id}
        return {**decisive, **asdict(self.config)}

    @property
    def decisive(self) -> dict[str, Any]:
        """The options in which two runs of one folder cannot differ."""
        return {name: v for name, v in self.options.items() if name not in FREE_OPTIONS}

    @property
    def finished(self) -> bool:
        """Whether there is neither a step to take nor a model to write."""
        if self.checkpoint is None or not self.folder.has_model():
            return False
        return read_state(self.checkpoint).step >= self.config.steps

    def shape(self, **fields: Any) -> OscarConfig:
        """The shape of the model, with further fields.

        Raises:
            OscarError: There is no such preset or field, or a value is out of range.
        """
        return OscarConfig.preset(self.preset, **{**self.model, **fields})

    def state(self, vocabulary: str) -> CheckpointState:
        """The state to start from, with tokenizers of the hash `vocabulary`.

        Raises:
            TrainingError: The checkpoint is incomplete or does not fit the tokenizers.
        """
        if self.checkpoint is None:
            return CheckpointState(0, vocabulary)
        state = read_state(self.checkpoint)
        state.check_resumable(vocabulary)
        return state
