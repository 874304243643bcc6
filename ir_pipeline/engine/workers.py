"""Runs a task on every unit in worker processes that may hang, die or grow without harm."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ir_pipeline.engine.work import Settings, view_note
from ir_pipeline.engine.worker_start import check_start, start_worker, worker_context, worker_log
from ir_pipeline.errors import Failure, one_line
from ir_pipeline.sources.units import Unit
from static_analysis.errors import OscarError

if TYPE_CHECKING:
    from pebble import ProcessPool

Result = TypeVar("Result")
Task = Callable[[Unit, Settings], Result | Failure]

# Enough that a slow unit at the head of the queue does not idle the other workers.
_AHEAD = 16
# A worker's address space grows a little with each unit (LLVM keeps some of it). A new worker now
# and then keeps the memory limit for what the unit at hand needs, whatever was before it.
_UNITS_OF_A_WORKER = 1000
# How long a parent that waits for a result may not notice that no worker can start.
_LOOK_EVERY = 0.5
_UNIT_TIME_UP = ("worker", "time limit")
_KILLED = "killed"
_MOST_KILLS = 3


def run_units(
    task: Task[Result], units: Sequence[Unit], settings: Settings, workers: int | None = None
) -> Generator[tuple[Unit, Result | Failure], None, None]:
    """Yields each unit with the result of `task`, in the order of `units`.

    A unit that ends its worker, or its time, while a view is made is tried again without it.

    Args:
        task: module-level function.
        units: what to run it on.
        settings: handed to the task; its limits bound each call.
        workers: number of processes; None for one per usable core.

    Raises:
        OscarError: `workers` is not positive, or no worker can be started or kept alive.
    """
    from pebble import ProcessPool

    count = min(worker_count(workers), max(len(units), 1))
    start = (settings.limits.memory_gb, settings.scratch)
    pool = ProcessPool(count, _UNITS_OF_A_WORKER, start_worker, start, worker_context())
    run = _Run(pool, task, settings)
    waiting: deque[tuple[Unit, Future[Result | Failure]]] = deque()
    try:
        for unit in units:
            waiting.append((unit, run.schedule(unit)))
            if len(waiting) >= count * _AHEAD:
                unit, future = waiting.popleft()
                yield unit, run.result(unit, future)
        while waiting:
            unit, future = waiting.popleft()
            yield unit, run.result(unit, future)
    finally:
        pool.stop()
        pool.join()


def worker_count(asked: int | None) -> int:
    """The number of processes asked for, or one per usable core.

    Raises:
        OscarError: fewer than one is asked for.
    """
    count = asked if asked is not None else len(os.sched_getaffinity(0))
    if count < 1:
        raise OscarError(f"--workers {count}: at least one is needed")
    return count


@dataclass(frozen=True)
class _Run(Generic[Result]):
    """A task and the processes that do it."""

    pool: ProcessPool
    task: Task[Result]
    settings: Settings

    def schedule(
        self, unit: Unit, left_out: tuple[tuple[str, str], ...] = ()
    ) -> Future[Result | Failure]:
        settings = replace(self.settings, left_out=left_out)
        seconds = self.settings.limits.unit_seconds
        future: Future[Result | Failure] = self.pool.schedule(
            self.task, args=(unit, settings), timeout=seconds
        )
        return future

    def result(self, unit: Unit, future: Future[Result | Failure]) -> Result | Failure:
        """Waits for a unit; tries again without a view that ended its worker or its time."""
        from pebble import ProcessExpired

        kills, left_out = 0, tuple[tuple[str, str], ...]()
        while True:
            self._wait(future)
            try:
                return future.result()
            except TimeoutError:
                said = f"took more than {self.settings.limits.unit_seconds:g} s"
                failure = Failure(unit.name, *_UNIT_TIME_UP, said)
            except ProcessExpired as error:
                failure = _how_it_ended(unit, error, self.settings)
            except BrokenProcessPool as error:
                raise OscarError(f"the worker processes cannot be kept alive: {error}") from None
            ended = self._ended_at(unit, failure)
            if failure.reason == _KILLED and kills < _MOST_KILLS:
                # Nothing of ours does that, but a system that is short of memory.
                kills, ended = kills + 1, ()
            elif not ended or len(left_out) + len(ended) >= len(self.settings.views):
                return failure
            left_out += tuple((view, failure.reason) for view in ended)
            future = self.schedule(unit, left_out)

    def _wait(self, future: Future[Result | Failure]) -> None:
        while not wait([future], _LOOK_EVERY).done:
            check_start(self.settings.scratch)
            if not self.pool.active:
                raise OscarError("the worker processes cannot be kept alive")

    def _ended_at(self, unit: Unit, failure: Failure) -> tuple[str, ...]:
        """The views that a unit has to do without after this failure."""
        note = view_note(unit, self.settings)
        if not note.exists():
            return ()
        view = note.read_text()
        note.unlink()
        # Views made before the time was up fit into it; those after it might not.
        later = self.settings.views[self.settings.views.index(view) :]
        return later if (failure.stage, failure.reason) == _UNIT_TIME_UP else (view,)


def _how_it_ended(unit: Unit, error: Any, settings: Settings) -> Failure:
    """What the end of a worker means: a view past its time, a crash, or somebody else's doing."""
    if error.exitcode == -signal.SIGALRM:
        said = f"took more than {settings.limits.view_seconds:g} s"
        return Failure(unit.name, "view", "time limit", said)
    reason = _KILLED if error.exitcode == -signal.SIGKILL else "crash"
    return Failure(unit.name, "worker", reason, _last_words(error, settings.scratch))


def _last_words(error: Any, scratch: Path) -> str:
    """How a worker died, with the last line that LLVM wrote to its standard error."""
    code = error.exitcode
    how = signal.Signals(-code).name if code and code < 0 else f"exit status {code}"
    log = worker_log(scratch, error.pid)
    lines = log.read_text(errors="replace").split("\n") if log.exists() else []
    said = next((line for line in lines if "ERROR" in line or "Assertion" in line), "")
    return one_line(f"the worker died of {how} {said}")
