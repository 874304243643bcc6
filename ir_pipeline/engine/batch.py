"""What a machine of a cluster does: a batch of units, with sources and limits as at home."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ir_pipeline.engine.tools import tool_versions
from ir_pipeline.engine.work import Settings
from ir_pipeline.engine.workers import Result, Task, run_units
from ir_pipeline.errors import Failure
from ir_pipeline.lowering.toolchain import find_toolchain
from ir_pipeline.scratch import scratch_folder, shared_folder
from ir_pipeline.sources.parcel import moved, unpack_parcel
from ir_pipeline.sources.units import Unit
from ir_pipeline.views.external_opt import find_opt
from static_analysis.errors import OscarError

Parcel = tuple[str, Any]
"""The name of a folder on all machines, and Ray's reference to its files."""


def run_batch(
    task: Task[Result],
    units: Sequence[Unit],
    settings: Settings,
    tools: dict[str, str | None],
    parcels: dict[Path, Parcel],
) -> list[Result | Failure]:
    """The results for a batch of units, on the machine that Ray sends it to.

    Args:
        task: as in `run_units`.
        units: of the batch, as they are on the machine that sends it.
        settings: of that machine.
        tools: the versions there.
        parcels: for each folder there, its name and its files.

    Raises:
        OscarError: this machine has other tools.
    """
    toolchain = find_toolchain(settings.toolchain.clang)
    opt = None if settings.opt is None else find_opt(Path(settings.opt.program))
    with ExitStack() as stack:
        places = {
            place: stack.enter_context(shared_folder(name, partial(_receive, files)))
            for place, (name, files) in parcels.items()
        }
        scratch = stack.enter_context(scratch_folder())
        here = replace(settings, toolchain=toolchain, opt=opt, scratch=scratch)
        _check_tools(tool_versions(here), tools)
        there = [moved(unit, places) for unit in units]
        return [result for _, result in run_units(task, there, here, workers=1)]


def _receive(files: Any, folder: Path) -> None:
    import ray

    unpack_parcel(ray.get(files), folder)


def _check_tools(here: dict[str, str | None], there: dict[str, str | None]) -> None:
    for name, version in there.items():
        if here[name] != version:
            raise OscarError(
                f"{socket.gethostname()}: has {name} {here[name]}, and this run {version}: "
                "install the same OSCAR on all machines of the cluster"
            )
