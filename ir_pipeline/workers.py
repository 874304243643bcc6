"""Runs a task on every unit in worker processes that may hang, die or grow without harm."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, wait
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from ir_pipeline.atomic import write_atomically
from ir_pipeline.errors import Failure, one_line
from ir_pipeline.limits import check_memory, limit_memory
from ir_pipeline.sources import Unit
from ir_pipeline.work import Settings
from static_analysis.errors import OscarError

if TYPE_CHECKING:
    from pebble import ProcessPool

Result = TypeVar("Result")
Task = Callable[[Unit, Settings], Result | Failure]

# Enough that a slow unit at the head of the queue does not idle the other workers.
_AHEAD = 16
_NO_START = "no-start"
# How long a parent that waits for a result may not notice that no worker can start.
_LOOK_EVERY = 0.5
# What a worker needs, in GiB, besides its modules, to get through a small unit.
_SPARE = 0.125
_PRELOADED = [
    *("ir_pipeline.unit", "ir_pipeline.llvm", "pyarrow"),
    *("tree_sitter", "tree_sitter_c", "tree_sitter_cpp"),
]


def run_units(
    task: Task[Result], units: Sequence[Unit], settings: Settings, workers: int | None = None
) -> Generator[tuple[Unit, Result | Failure], None, None]:
    """Yields each unit with the result of `task`, in the order of `units`.

    Args:
        task: module-level function.
        units: what to run it on.
        settings: handed to the task; its limits bound each call.
        workers: number of processes; None for one per usable core.

    Raises:
        OscarError: `workers` is not positive, or no worker can be kept alive.
    """
    from pebble import ProcessPool

    count = min(worker_count(workers), max(len(units), 1))
    context = _WorkerContext()
    context.set_forkserver_preload(_PRELOADED)
    start = (settings.limits.memory_gb, settings.scratch)
    pool = ProcessPool(count, initializer=_start_worker, initargs=start, context=context)
    waiting: deque[tuple[Unit, Future[Result | Failure]]] = deque()
    try:
        for unit in units:
            seconds = settings.limits.unit_seconds
            waiting.append((unit, pool.schedule(task, args=(unit, settings), timeout=seconds)))
            if len(waiting) >= count * _AHEAD:
                yield _next_finished(waiting, pool, settings)
        while waiting:
            yield _next_finished(waiting, pool, settings)
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


def _next_finished(
    waiting: deque[tuple[Unit, Future[Result | Failure]]], pool: ProcessPool, settings: Settings
) -> tuple[Unit, Result | Failure]:
    """Waits for the first unit, as long as there are workers that may finish it."""
    unit, future = waiting.popleft()
    while not wait([future], _LOOK_EVERY).done:
        _check_start(settings.scratch)
        if not pool.active:
            raise OscarError("the worker processes cannot be kept alive")
    return _finished(unit, future, settings)


def _finished(
    unit: Unit, future: Future[Result | Failure], settings: Settings
) -> tuple[Unit, Result | Failure]:
    from pebble import ProcessExpired

    try:
        return unit, future.result()
    except TimeoutError:
        said = f"took more than {settings.limits.unit_seconds:g} s"
        return unit, Failure(unit.name, "worker", "time limit", said)
    except ProcessExpired as error:
        return unit, Failure(unit.name, "worker", "crash", _last_words(error, settings.scratch))
    except BrokenProcessPool as error:
        raise OscarError(f"the worker processes cannot be kept alive: {error}") from None


def _last_words(error: Any, scratch: Path) -> str:
    """How a worker died, with the last line that LLVM wrote to its standard error."""
    code = error.exitcode
    how = signal.Signals(-code).name if code and code < 0 else f"exit status {code}"
    log = _log_of(scratch, error.pid)
    lines = log.read_text(errors="replace").split("\n") if log.exists() else []
    said = next((line for line in lines if "ERROR" in line or "Assertion" in line), "")
    return one_line(f"the worker died of {how} {said}")


def _log_of(scratch: Path, pid: int) -> Path:
    return scratch / f"worker-{pid}.log"


def _start_worker(memory_gb: float, scratch: Path) -> None:
    """Prepares a worker; where that fails, says so to the parent and waits to be stopped."""
    try:
        log = os.open(_log_of(scratch, os.getpid()), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, sys.stderr.fileno())
        os.close(log)
        for name in _PRELOADED:
            import_module(name)
        import_module("ir_pipeline.llvm").target_machine("")
        check_memory(memory_gb, _SPARE)
        limit_memory(memory_gb)
    except Exception as error:
        # A worker that ends instead would be started again, and again.
        write_atomically(scratch / _NO_START, str(error).encode())
        signal.pause()
    # Units make many objects and no cycles: collecting as often as Python does costs a tenth.
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


def _check_start(scratch: Path) -> None:
    if (scratch / _NO_START).exists():
        said = (scratch / _NO_START).read_text(errors="replace")
        raise OscarError(one_line(f"no worker process can start: {said}"))


_LAUNCHING = Lock()


class _WorkerProcess(ForkServerProcess):
    @staticmethod
    def _Popen(process: Any) -> Any:  # noqa: N802
        """Starts a worker that does not run the caller's script again.

        multiprocessing imports the main module into each child in case it is needed to unpickle;
        our tasks need none of it, and a script without a `__main__` guard would start workers of
        its own.
        """
        with _LAUNCHING:
            main = sys.modules["__main__"]
            # A stand-in, because other threads may be running the main module at this moment.
            sys.modules["__main__"] = ModuleType("__main__")
            try:
                return ForkServerProcess._Popen(process)
            finally:
                sys.modules["__main__"] = main


class _WorkerContext(ForkServerContext):
    Process = _WorkerProcess
