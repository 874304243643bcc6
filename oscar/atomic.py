"""Writes a file whole or not at all."""

import os
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file under another name and rename it, so that no reader meets half of it.

    The folder is made if it is not there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_bytes(content)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
