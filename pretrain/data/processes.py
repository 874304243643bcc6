"""Helper processes of a training process: started afresh, without the caller's script."""

from __future__ import annotations

import sys
from multiprocessing.context import SpawnContext, SpawnProcess
from types import ModuleType
from typing import Any


class _Process(SpawnProcess):
    @staticmethod
    def _Popen(process: Any) -> Any:  # noqa: N802
        """Starts a process that does not run the caller's script again.

        multiprocessing imports the main module into each child, in case it is needed to unpickle.
        Ours need none of it, and a script without a `__main__` guard would train once more in each.
        """
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            started: Any = SpawnProcess._Popen(process)
        finally:
            sys.modules["__main__"] = main
        # Helpers that ignore SIGTERM would else be waited for without end when the parent ends.
        started.terminate = started.kill
        return started


class HelperContext(SpawnContext):
    """How helpers are made.

    They are not forked: a fork of a process with threads is unsafe, and it would keep the run's
    lock when the training process is killed.
    """

    Process = _Process
