"""Keeps the shim header precompiled, so that a C++ program costs 0.05 s instead of 1 s."""

from __future__ import annotations

import fcntl
import hashlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from ir_pipeline.limits import Limits
from ir_pipeline.lowering.child import run_limited

SHIM = Path(__file__).parent / "shim"
_HEADER = SHIM / "bits" / "stdc++.h"
_SECONDS = 240
_FLAGS = (
    *("-x", "c++-header"),
    # The cache outlives a reinstallation of the same header with other time stamps.
    *("-Xclang", "-fno-pch-timestamp"),
    # Templates that the headers use are instantiated once, not by every program: half of its time.
    "-fpch-instantiate-templates",
)


def precompiled_shim(command: Sequence[str], version: str, limits: Limits) -> Path:
    """The precompiled form of `bits/stdc++.h` for exactly this command, built when missing.

    Args:
        command: compiler, flags and standard, without files; a precompiled header only fits the
            flags that it was made with.
        version: the compiler's version, part of the cache key with the header's text.
        limits: for the compiler.

    Raises:
        LoweringError: the compiler cannot compile the header.
    """
    key = hashlib.sha256()
    for part in (*command, *_FLAGS, version, str(_HEADER), _HEADER.read_text()):
        key.update(part.encode() + b"\0")
    target = cache_folder() / f"{key.hexdigest()[:32]}.pch"
    if not target.exists():
        with _locked(target.with_suffix(".lock")):
            if not target.exists():
                _build(command, target, limits)
    return target


def _build(command: Sequence[str], target: Path, limits: Limits) -> None:
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        made = Path(scratch) / "shim.pch"
        # It is made once for all units: what is too long for one of them is not too long here.
        limits = replace(limits, compile_seconds=max(limits.compile_seconds, _SECONDS))
        files = ("-I", str(SHIM), *_FLAGS, str(_HEADER), "-o", str(made))
        run_limited((*command, *files), cwd=SHIM, scratch=Path(scratch), limits=limits)
        os.replace(made, target)


def cache_folder() -> Path:
    """Where the precompiled headers are kept: the user's cache, or a temporary folder."""
    base = os.environ.get("XDG_CACHE_HOME")
    folder = (Path(base) if base else Path.home() / ".cache") / "oscar"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    if os.access(folder, os.W_OK):
        return folder
    fallback = Path(tempfile.gettempdir()) / f"oscar-{os.getuid()}"
    fallback.mkdir(mode=0o700, exist_ok=True)
    return fallback


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
