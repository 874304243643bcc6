"""What the user sees of a run: a bar on a terminal, a line now and then elsewhere, a table."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import TextColumn
from rich.table import Table

from ir_pipeline.progress import progress_bar
from pretrain.report.metrics import HELD_OUT, Figures

_SECONDS_BETWEEN_LINES = 10.0
_MOST_AVERAGED = 5
_RATES = ("functions", "instructions", "tokens")


class Meter:
    """How much is read in how much time.

    Args:
        seconds: Time trained before.
    """

    def __init__(self, seconds: float = 0.0) -> None:
        self._before, self._begun = seconds, time.monotonic()
        self._all: Counter[str] = Counter()
        self._line: Counter[str] = Counter()
        self._line_begun = self._begun

    @property
    def seconds(self) -> float:
        """Time trained, before included."""
        return self._before + time.monotonic() - self._begun

    def add(self, counts: Mapping[str, float]) -> None:
        """Takes note of what a step read, as `Step.counts` names it."""
        self._all.update(counts)
        self._line.update(counts)

    def speed(self, what: str) -> float:
        """How much of `what` was read in a second, on average since the beginning."""
        return self._all[what] / max(time.monotonic() - self._begun, 1e-9)

    def line(self) -> Figures:
        """Rates and shares since the last call, and the time trained."""
        now = time.monotonic()
        passed = max(now - self._line_begun, 1e-9)
        rates = {f"{name}_per_second": self._line[name] / passed for name in _RATES}
        shares = {
            "padding_share": self._line["padding"] / max(self._line["slots"], 1),
            "duplicate_share": self._line["duplicates"] / max(self._line["groups"], 1),
        }
        self._line_begun = now
        self._line.clear()
        return {**rates, **shares, "seconds": self.seconds}


class ProgressReport:
    """Shows steps, loss, speed and time left while training.

    Args:
        console: Where to print.
        start: Steps done before.
        steps: Steps of the whole run.
        meter: Says how much was read.
        what: What is going on, in a word.
        minutes: The run ends after so many, whatever the steps; None: after the steps.
    """

    def __init__(
        self,
        console: Console,
        start: int,
        steps: int,
        meter: Meter,
        what: str,
        minutes: float | None = None,
    ) -> None:
        self._console, self._meter = console, meter
        self._start, self._steps = start, steps
        self._seconds = float("inf") if minutes is None else 60 * minutes
        self._begun = self._last_line = time.monotonic()
        self._bar = progress_bar(console, TextColumn("{task.fields[state]}"), stays=True)
        self._task = self._bar.add_task(what, total=steps, completed=start, state="")

    def show(self, done: int, loss: float) -> None:
        """Reports that `done` steps are done, the last with loss `loss`."""
        state = f"loss {loss:.3f} · {self._speed()} · {self._left(done)} left"
        self._bar.update(self._task, completed=done, state=state)
        now = time.monotonic()
        if self._bar.disable and now - self._last_line >= _SECONDS_BETWEEN_LINES:
            self._last_line = now
            self._console.print(f"step {done}/{self._steps} · {state}")

    def _speed(self) -> str:
        """In tokens, or in instructions where no token is read."""
        what = "tokens" if self._meter.speed("tokens") else "instructions"
        return f"{self._meter.speed(what):,.0f} {what}/s"

    def _left(self, done: int) -> timedelta:
        """Until the last step or until the time is up, whichever comes first."""
        passed = time.monotonic() - self._begun
        left = (self._steps - done) * passed / (done - self._start)
        return timedelta(seconds=round(max(0, min(left, self._seconds - passed))))

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


def summary(figures: list[Figures], facts: Mapping[str, Any], out: Path) -> Table:
    """A table of a run's facts and of its losses and accuracies at the beginning and the end.

    Beginning and end are means over up to five lines, to even out what batches differ in.

    Args:
        figures: The lines of `metrics.jsonl`.
        facts: What else to say, by name.
        out: The run's folder.
    """
    table = Table(title=str(out), title_justify="left")
    for column in ("", "first", "last"):
        table.add_column(column, justify="right" if column else "left")
    for name, value in facts.items():
        table.add_row(name, "", str(value))
    for name in dict.fromkeys(name for line in figures for name in line):
        if name.startswith(("loss", "mlm", "contrast", "accuracy", HELD_OUT)):
            table.add_row(name.replace("_", " "), *_ends([f[name] for f in figures if name in f]))
    return table


def _ends(values: list[float]) -> tuple[str, str]:
    """The means of the first and of the last values, not more than half of them each."""
    averaged = max(1, min(_MOST_AVERAGED, len(values) // 2))
    first, last = (sum(part) / averaged for part in (values[:averaged], values[-averaged:]))
    return f"{first:.3f}", f"{last:.3f}"
