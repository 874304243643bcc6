"""How a worker process starts: without the caller's script, with limits, or not at all."""

from __future__ import annotations

import gc
import os
import signal
import sys
from importlib import import_module
from multiprocessing import forkserver
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any

from ir_pipeline.atomic import write_atomically
from ir_pipeline.errors import one_line
from ir_pipeline.limits import check_memory, limit_memory
from ir_pipeline.lowering.child import end_with_parent, kill_running
from static_analysis.errors import OscarError

# What a worker needs, in GiB, besides its modules, to get through a small unit.
_SPARE = 0.125
_NO_START = "no-start"
_PRELOADED = [
    *("ir_pipeline.engine.unit", "ir_pipeline.lowering.llvm", "pyarrow"),
    *("tree_sitter", "tree_sitter_c", "tree_sitter_cpp"),
    # pyarrow would load it in every worker, to ask whether our lists are its objects.
    "pandas",
]
_LAUNCHING = Lock()


def worker_context() -> ForkServerContext:
    """The way to make worker processes: forks of a server that has their modules loaded."""
    context = _WorkerContext()
    context.set_forkserver_preload(_PRELOADED)
    _start_server_quietly()
    return context


def _start_server_quietly() -> None:
    """Starts the server of the forks without the user's terminal.

    A worker writes to a log of its own, but one that is being born while the run is interrupted
    would print a traceback of Python's own first.
    """
    sys.stderr.flush()
    terminal, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        forkserver.ensure_running()
    finally:
        os.dup2(terminal, 2)
        os.close(terminal)
        os.close(nowhere)


def start_worker(memory_gb: float, scratch: Path) -> None:
    """Prepares a worker; where that fails, says so to the parent and waits to be stopped."""
    signal.signal(signal.SIGTERM, _end)
    _end_with_run()
    try:
        log = os.open(worker_log(scratch, os.getpid()), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, sys.stderr.fileno())
        os.close(log)
        for name in _PRELOADED:
            import_module(name)
        import_module("ir_pipeline.lowering.llvm").target_machine("")
        check_memory(memory_gb, _SPARE)
        limit_memory(memory_gb)
    except Exception as error:
        # A worker that ends instead would be started again, and again.
        write_atomically(scratch / _NO_START, str(error).encode())
        signal.pause()
    # Units make many objects and no cycles: collecting as often as Python does costs a tenth.
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


def _end_with_run() -> None:
    """Has a worker killed when its run is.

    The server of the forks ends with the run, but not while a worker holds its end of the pipe by
    which the server knows: that is for workers which start processes by the server themselves.
    """
    server: Any = forkserver._forkserver
    os.close(server._forkserver_alive_fd)
    server._forkserver_alive_fd = None
    end_with_parent()


def _end(number: int, frame: Any) -> None:
    """Ends a worker that is past its time at once, and its compiler with all that it started."""
    kill_running()
    os._exit(128 + number)


def check_start(scratch: Path) -> None:
    """Looks whether a worker said that it cannot start.

    Raises:
        OscarError: one did.
    """
    if (scratch / _NO_START).exists():
        said = (scratch / _NO_START).read_text(errors="replace")
        raise OscarError(one_line(f"no worker process can start: {said}"))


def worker_log(scratch: Path, pid: int) -> Path:
    """The file with what a worker wrote to its standard error."""
    return scratch / f"worker-{pid}.log"


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
