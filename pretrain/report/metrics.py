"""The run's figures as `metrics.jsonl` and as TensorBoard curves."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import IO

from ir_pipeline.atomic import write_atomically

HELD_OUT = "validation/"
"""Begins the names of figures of held-out functions, which not every line has."""

Figures = dict[str, float]


def read_metrics(path: Path) -> list[Figures]:
    """The complete lines of a metrics file, oldest first; none when there is no file."""
    if not path.is_file():
        return []
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]


class MetricsLog:
    """Writes the figures of a step to `metrics.jsonl` and TensorBoard.

    Figures of steps after `start`, left by a process that went on past its last checkpoint, are
    dropped: the resumed run writes them again.

    Args:
        path: The `metrics.jsonl` to continue.
        tensorboard: Folder of the TensorBoard files.
        start: Steps done so far.
    """

    def __init__(self, path: Path, tensorboard: Path, start: int) -> None:
        kept = [figures for figures in read_metrics(path) if figures["step"] <= start]
        write_atomically(path, "".join(map(_line, kept)).encode())
        self._file: IO[str] = path.open("a", encoding="utf-8")
        # TensorBoard takes seconds to import: only who trains waits for it.
        from torch.utils.tensorboard import SummaryWriter

        self._board = SummaryWriter(str(tensorboard), purge_step=start + 1)

    def write(self, figures: Figures) -> None:
        """Appends the figures of the step that `figures["step"]` numbers (from 1)."""
        self._file.write(_line(figures))
        self._file.flush()
        for name, value in figures.items():
            if name != "step":
                place = name if name.startswith(HELD_OUT) else f"train/{name}"
                self._board.add_scalar(place, value, int(figures["step"]))

    def __enter__(self) -> MetricsLog:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()
        self._board.close()


def _line(figures: Figures) -> str:
    return json.dumps(figures) + "\n"
