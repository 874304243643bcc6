"""One run of the compiler's front end: what it is told, and what of the disk it sees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ir_pipeline.limits import Limits
from ir_pipeline.lowering.cc1 import cc1_command
from ir_pipeline.lowering.child import run_limited
from ir_pipeline.lowering.precompiled import SHIM, cache_folder
from ir_pipeline.sources.overlay import overlay_flags


@dataclass(frozen=True)
class Job:
    """One run of the front end.

    Attributes:
        command: the driver with all flags but those of files.
        language: `c` or `c++`.
        file: the source, as it shall be named.
        cwd: folder to run in.
        places: files and folders it may see, besides the compiler's own headers.
        instead: paths in them, each with what it sees there in its place.
        preprocess: whether the text after preprocessing is wanted, and no IR.
    """

    command: tuple[str, ...]
    language: str
    file: str
    cwd: Path
    places: tuple[Path, ...]
    instead: Mapping[Path, Path] = field(default_factory=dict)
    preprocess: bool = False


def run_job(job: Job, headers: Sequence[Path], scratch: Path, limits: Limits) -> bytes:
    """Runs `job` and returns what it writes.

    Args:
        job: the run.
        headers: folders of the compiler's own headers.
        scratch: private folder.
        limits: for the run.

    Raises:
        LoweringError: it fails within the limits, or reaches them.
    """
    out = (scratch / "unit.ll").absolute()
    overlay = overlay_flags([*job.places, *headers, SHIM, cache_folder()], job.instead, scratch)
    run = cc1_command(job.command, job.language, job.file, out, scratch, limits)
    if job.preprocess:
        run = tuple("-E" if word == "-emit-llvm" else word for word in run)
    run_limited((*run, *overlay), cwd=job.cwd, scratch=scratch, limits=limits)
    return out.read_bytes()
