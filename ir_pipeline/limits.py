"""What one unit may cost."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path

from static_analysis.errors import OscarError

_MOST = 1e6
_OPTIONS = {
    "unit_seconds": "--time-limit",
    "compile_seconds": "compile_seconds",
    "view_seconds": "--view-time-limit",
    "memory_gb": "--memory-limit-gb",
    "output_mb": "output_mb",
}


@dataclass(frozen=True)
class Limits:
    """What one unit may cost.

    Attributes:
        unit_seconds: wall-clock time for everything done to the unit.
        compile_seconds: wall-clock time for one run of the compiler.
        view_seconds: wall-clock time for making and analysing one view.
        memory_gb: address space of a worker and of its compiler, in GiB.
        output_mb: largest file the compiler may write, in MiB.

    Raises:
        OscarError: one of them is not a number above 0 and up to a million.
    """

    unit_seconds: float = 300.0
    compile_seconds: float = 60.0
    view_seconds: float = 120.0
    memory_gb: float = 4.0
    output_mb: int = 512

    def __post_init__(self) -> None:
        """Checks the ranges."""
        for field in fields(self):
            value = getattr(self, field.name)
            if not 0 < value <= _MOST:
                option = _OPTIONS[field.name]
                raise OscarError(f"{option} {value:g}: name a number above 0 and up to {_MOST:g}")


def limit_memory(gigabytes: float) -> None:
    """Bounds the address space of the calling process and its future children."""
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (int(_allowed(gigabytes) * 2**30), hard))


@contextmanager
def ending_after(seconds: float) -> Iterator[None]:
    """Ends this process, by SIGALRM, if the body takes longer: nothing else interrupts LLVM."""
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def check_memory(gigabytes: float, spare: float) -> None:
    """Makes sure that a bound of `gigabytes` leaves this process `spare` GiB to work with.

    Raises:
        OscarError: it does not.
    """
    allowed, needed = _allowed(gigabytes), _in_use() + spare
    if allowed < needed:
        raise OscarError(
            f"--memory-limit-gb: a worker needs at least {needed:.1f} GB of address space "
            f"and may have {allowed:g} GB"
        )


def _allowed(gigabytes: float) -> float:
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    return gigabytes if hard == resource.RLIM_INFINITY else min(gigabytes, hard / 2**30)


def _in_use() -> float:
    """Address space of this process in GiB; 0 on systems that do not tell."""
    sizes = Path("/proc/self/statm")
    pages = int(sizes.read_text().split()[0]) if sizes.exists() else 0
    return pages * resource.getpagesize() / 2**30
