"""CPU time and memory of this process with all that it started, workers and compilers included."""

import os
import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_LOOK_EVERY = 0.05


def cpu_seconds() -> float:
    """CPU time of this process, of its children so far, and of theirs that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    mine = sum(usage.ru_utime + usage.ru_stime for usage in used)
    return mine + sum(sum(ticks) for _, ticks, _ in _children(os.getpid())) / _TICKS


@contextmanager
def peak_memory() -> Iterator[dict[int, int]]:
    """Yields a dictionary that fills with the peak resident bytes of each grandchild.

    Workers are grandchildren: a server process of Python's forks them.
    """
    peaks: dict[int, int] = {}
    done = threading.Event()

    def look() -> None:
        while not done.wait(_LOOK_EVERY):
            for child, _, _ in _children(os.getpid()):
                for pid, _, resident in _children(child):
                    peaks[pid] = max(peaks.get(pid, 0), resident)

    looker = threading.Thread(target=look, daemon=True)
    looker.start()
    try:
        yield peaks
    finally:
        done.set()
        looker.join()


def _children(parent: int) -> Iterator[tuple[int, list[int], int]]:
    """Each child's number, CPU ticks (its own and its dead children's) and resident bytes."""
    for place in Path("/proc").glob("[0-9]*"):
        # A process may end while it is looked at; its name may hold blanks and brackets.
        with suppress(OSError, ValueError, IndexError):
            fields = (place / "stat").read_text().rpartition(")")[2].split()
            if int(fields[1]) == parent:
                yield int(place.name), [int(n) for n in fields[11:15]], int(fields[21]) * _PAGE
