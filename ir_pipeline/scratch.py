"""Temporary folders that outlive a killed run only until the next one.

Each is locked while it is used; whoever makes one removes those that nobody holds any more.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PREFIX = "oscar-scratch-"
_OURS = re.compile(rf"{_PREFIX}[a-z0-9_]{{8,64}}")
_FILLED = "filled"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A new private folder, gone at the end."""
    sweep()
    lock = None
    while lock is None:
        # Another process may sweep it before it is locked.
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        lock = _locked(folder, fcntl.LOCK_EX)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


@contextmanager
def shared_folder(name: str, fill: Callable[[Path], None]) -> Iterator[Path]:
    """The one folder of this name on this machine, for several processes at once.

    Args:
        name: 8 to 64 small letters and digits.
        fill: called with a new, empty folder by the first process that asks for it.
    """
    place = Path(tempfile.gettempdir(), f"{_PREFIX}{name}")
    lock = None
    while lock is None:
        place.mkdir(mode=0o700, exist_ok=True)
        lock = _locked(place, fcntl.LOCK_SH)
        if lock is not None and not (place / _FILLED).exists():
            os.close(lock)
            _fill(place, fill)
            lock = None
    try:
        yield place / "files"
    finally:
        os.close(lock)


def sweep() -> None:
    """Removes the folders of runs that were killed, and shared ones that nobody uses."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        # What belongs to somebody else is not ours to open.
        with suppress(PermissionError):
            lock = _OURS.fullmatch(folder.name) and _locked(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if lock is not None:
                shutil.rmtree(folder, ignore_errors=True)
                os.close(lock)


def _fill(place: Path, fill: Callable[[Path], None]) -> None:
    """Fills a shared folder, unless another process did or the folder is gone."""
    lock = _locked(place, fcntl.LOCK_EX)
    if lock is None:
        return
    try:
        if not (place / _FILLED).exists():
            shutil.rmtree(place / "files", ignore_errors=True)
            (place / "files").mkdir()
            fill(place / "files")
            (place / _FILLED).touch()
    finally:
        os.close(lock)


def _locked(folder: Path, how: int) -> int | None:
    """A descriptor that holds a lock; None where another one does, or the folder is gone."""
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        fcntl.flock(lock, how)
        # What was removed while we waited locks nothing.
        if os.path.samestat(os.fstat(lock), folder.stat()):
            return lock
    except (BlockingIOError, FileNotFoundError):
        pass
    except OSError:
        os.close(lock)
        raise
    os.close(lock)
    return None
