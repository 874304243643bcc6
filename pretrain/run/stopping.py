"""Ends a run between two steps: on Ctrl-C, on SIGTERM, or when its time is up."""

from __future__ import annotations

import math
import signal
import threading
import time
from types import FrameType, TracebackType
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class StopRequest:
    """Notes a request to stop, as a context manager around the training loop.

    The first signal only raises the flag, so that the loop can save and leave; the second acts as
    it would have without us.

    Args:
        minutes: Time from now after which `due` is true; None: no limit.

    Attributes:
        signalled: Whether a signal came.
    """

    def __init__(self, minutes: float | None = None) -> None:
        self._start = time.monotonic()
        self._seconds = math.inf if minutes is None else 60 * minutes
        self._handlers: dict[signal.Signals, Any] = {}
        self.signalled = False

    @property
    def due(self) -> bool:
        """Whether to stop: a signal came or the time is up."""
        return self.signalled or self.used >= 1

    @property
    def used(self) -> float:
        """The share of the time that has passed; 0 without a limit."""
        return (time.monotonic() - self._start) / self._seconds

    def __enter__(self) -> StopRequest:
        # Python lets only the main thread handle signals.
        if threading.current_thread() is threading.main_thread():
            self._handlers = {number: signal.signal(number, self._note) for number in _SIGNALS}
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._restore()

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.signalled = True
        self._restore()

    def _restore(self) -> None:
        while self._handlers:
            signal.signal(*self._handlers.popitem())
