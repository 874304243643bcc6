"""What a run is to do, and where it stands before its first step here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pretrain.checkpoint import CheckpointState, read_state
from pretrain.config import TrainingConfig
from pretrain.engine import World
from pretrain.run_folder import RunFolder


@dataclass(frozen=True, slots=True)
class Job:
    """What a run is to do.

    Attributes:
        corpus: Folder of the corpus.
        corpus_id: Hash of its content.
        preset: Size of the model.
        config: The run's options.
        folder: Where the run keeps its files.
        checkpoint: What to resume from; None: start over.
    """

    corpus: Path
    corpus_id: str
    preset: str
    config: TrainingConfig
    folder: RunFolder
    checkpoint: Path | None

    @property
    def finished(self) -> bool:
        """Whether there is neither a step to take nor a model to write."""
        if self.checkpoint is None or not self.folder.has_model():
            return False
        return read_state(self.checkpoint).step >= self.config.steps

    def state(self, world: World, vocabulary: str) -> CheckpointState:
        """The state to start from, with tokenizers of the hash `vocabulary`.

        Raises:
            TrainingError: The checkpoint is incomplete or does not fit the number of processes or
                the tokenizers.
        """
        if self.checkpoint is None:
            return CheckpointState(0, world.size, self.config.zero_stage, vocabulary)
        state = read_state(self.checkpoint)
        state.check_resumable(world.size, vocabulary)
        return state
