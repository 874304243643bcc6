"""Puts a finished file or folder in its place: other processes, and a reboot, see no half of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from static_analysis.errors import OscarError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yields a path to write a file or folder at, which at the end takes the place of `path`.

    If the body raises, `path` stays as it was. The folder around it is made if need be. An old
    folder is moved aside before and deleted after the new one stands in its place.

    Raises:
        OscarError: a file would take the place of a folder, a folder that of a file, or either
            that of the current folder or one above.
    """
    place = Path(os.path.abspath(path))
    if Path.cwd().is_relative_to(place):
        raise OscarError(f"{path} is a folder you are in: name a file or folder inside it")
    draft = place.with_name(f".{place.name}.{os.getpid()}")
    place.parent.mkdir(parents=True, exist_ok=True)
    _remove(draft)
    try:
        yield draft
        _check_kinds(path, place, draft)
        _sync_all(draft)
        _swap(draft, place)
        _sync(place.parent)
    finally:
        _remove(draft)


def write_atomically(path: Path, content: bytes | memoryview) -> None:
    """Writes a file that readers see whole or not at all.

    Raises:
        OscarError: `path` is a folder.
    """
    with replacing(path) as draft:
        draft.write_bytes(content)


def _check_kinds(path: Path, place: Path, draft: Path) -> None:
    if place.is_dir() and not draft.is_dir():
        raise OscarError(f"{path} is a folder: name a file")
    if place.exists() and draft.is_dir() and not place.is_dir():
        raise OscarError(f"{path} is a file: name a folder")


def _swap(draft: Path, place: Path) -> None:
    if not place.is_dir():
        os.replace(draft, place)
        return
    old = draft.with_name(f"{draft.name}.old")
    _remove(old)
    os.replace(place, old)
    try:
        os.replace(draft, place)
    except BaseException:
        os.replace(old, place)
        raise
    _remove(old)


def _remove(path: Path) -> None:
    # What a link points to is not ours.
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _sync_all(path: Path) -> None:
    if path.is_dir():
        for below in path.iterdir():
            _sync_all(below)
    _sync(path)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
