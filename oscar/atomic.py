"""Writes a file or a folder whole or not at all."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a path to write at; what is there at the end takes the place of `path`.

    If the body raises, `path` stays as it was. The folder around it is made if need be.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    _remove(unfinished)
    try:
        yield unfinished
        if path.is_dir():
            shutil.rmtree(path)
        os.replace(unfinished, path)
    finally:
        _remove(unfinished)


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that no reader meets half of it."""
    with replacing(path) as unfinished:
        unfinished.write_bytes(content)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
