"""What the user sees of a run: a bar on a terminal, a line now and then elsewhere, a table."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import TextColumn, TimeRemainingColumn
from rich.table import Table

from ir_pipeline.progress import progress_bar
from pretrain.metrics import Figures

_SECONDS_BETWEEN_LINES = 10.0
_MOST_AVERAGED = 5


class ProgressReport:
    """Shows steps, loss, speed and time left while training.

    Args:
        console: Where to print.
        start: Steps done before.
        steps: Steps of the whole run.
        batch_size: Functions per step, over all ranks.
    """

    def __init__(self, console: Console, start: int, steps: int, batch_size: int) -> None:
        self._console = console
        self._start, self._steps, self._batch_size = start, steps, batch_size
        self._begun = self._last_line = time.monotonic()
        self._bar = progress_bar(
            console,
            TextColumn("loss {task.fields[loss]:.3f} · {task.fields[speed]:.1f} functions/s"),
            TimeRemainingColumn(),
            stays=True,
        )
        self._task = self._bar.add_task(
            "pretraining", total=steps, completed=start, loss=0.0, speed=0.0
        )

    @property
    def seconds(self) -> float:
        """Time since the report was begun."""
        return time.monotonic() - self._begun

    def speed(self, done: int) -> float:
        """Functions per second of this process so far, at `done` steps."""
        return (done - self._start) * self._batch_size / max(self.seconds, 1e-9)

    def show(self, done: int, loss: float) -> None:
        """Reports that `done` steps are done, the last with loss `loss`."""
        speed = self.speed(done)
        self._bar.update(self._task, completed=done, loss=loss, speed=speed)
        now = time.monotonic()
        if self._bar.disable and now - self._last_line >= _SECONDS_BETWEEN_LINES:
            self._last_line = now
            left = (self._steps - done) * self._batch_size / speed
            self._console.print(
                f"step {done}/{self._steps} · loss {loss:.3f} · {speed:.1f} functions/s · "
                f"{timedelta(seconds=round(left))} left"
            )

    def __enter__(self) -> ProgressReport:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()


def summary(figures: list[Figures], facts: dict[str, Any], out: Path) -> Table:
    """A table of a run's facts and of its losses and accuracies at the beginning and the end.

    Beginning and end are means over up to five lines, to even out what batches differ in.

    Args:
        figures: The lines of `metrics.jsonl`.
        facts: What else to say, by name.
        out: The run's folder.
    """
    averaged = max(1, min(_MOST_AVERAGED, len(figures) // 2))
    first, last = figures[:averaged], figures[-averaged:]
    table = Table(title=str(out), title_justify="left")
    for column in ("", "first", "last"):
        table.add_column(column, justify="right" if column else "left")
    for name, value in facts.items():
        table.add_row(name, "", str(value))
    for name in figures[-1] if figures else ():
        if name.startswith(("loss", "mlm", "contrast", "accuracy")):
            row = (f"{_mean(lines, name):.3f}" for lines in (first, last))
            table.add_row(name.replace("_", " "), *row)
    return table


def _mean(lines: list[Figures], name: str) -> float:
    return sum(line[name] for line in lines) / len(lines)
