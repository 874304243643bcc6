"""What can go wrong with one unit, as an exception inside a worker and as a row outside it."""

from __future__ import annotations

import errno
from dataclasses import dataclass

from static_analysis.errors import IRError, OscarError

_DISK_FULL = (errno.ENOSPC, errno.EDQUOT)


class LoweringError(OscarError):
    """A unit that could not be turned into IR; costs that unit, never the run.

    Attributes:
        stage: where it happened: `read`, `compile`, `parse`, `view`, `analyse` or `worker`.
        reason: one of a small set of words, made for counting.
    """

    def __init__(self, message: str, *, stage: str, reason: str):
        super().__init__(one_line(message))
        self.stage = stage
        self.reason = reason


@dataclass(frozen=True)
class Failure:
    """One row of `errors.parquet`: a unit that gave no function, and why."""

    unit: str
    stage: str
    reason: str
    message: str


def one_line(text: str, limit: int = 400) -> str:
    """Joins the words of `text` by single spaces and cuts the result at `limit` characters."""
    joined = " ".join(text.split())
    return joined if len(joined) <= limit else joined[: limit - 1] + "…"


def failure(unit: str, error: Exception) -> Failure:
    """The row that `error`, raised while a worker had the unit, costs.

    Raises:
        OSError: it is no fault of the unit: the disk is full, and the run has to end.
    """
    if isinstance(error, OSError) and error.errno in _DISK_FULL:
        raise error
    stage, reason, said = "worker", "internal error", f"{type(error).__name__}: {error}"
    if isinstance(error, LoweringError):
        stage, reason, said = error.stage, error.reason, str(error)
    elif isinstance(error, IRError):
        stage, reason, said = "analyse", "IR not understood", str(error)
    elif isinstance(error, MemoryError):
        reason, said = "memory limit", "needs more memory than a worker may have"
    elif isinstance(error, OSError):
        stage, reason, said = "read", "cannot be read", error.strerror or str(error)
    return Failure(unit, stage, reason, one_line(said))
