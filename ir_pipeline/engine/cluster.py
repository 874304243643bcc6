"""Runs a task on every unit on a Ray cluster, with the limits and the results of one machine.

A Ray task is a batch of units. The machine that it comes to runs them in a worker process of
`workers`, so that what a unit may cost, and what becomes of one that hangs or crashes, is the same
everywhere. A batch whose machine or process is lost is started again by Ray. Sources travel once
to each machine, by Ray's object store: machines need not share any disk.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
import uuid
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ir_pipeline.engine.tools import tool_versions
from ir_pipeline.engine.work import Settings
from ir_pipeline.engine.workers import Result, Task, run_units, worker_count
from ir_pipeline.errors import Failure, one_line
from ir_pipeline.lowering.toolchain import find_toolchain
from ir_pipeline.scratch import scratch_folder, shared_folder, sweep
from ir_pipeline.sources.parcel import moved, pack, places_of, unpack_parcel
from ir_pipeline.sources.units import Unit
from ir_pipeline.views.external_opt import find_opt
from static_analysis.errors import OscarError

# A worker process takes a tenth of a second to start: many units share it. But not so many that
# the last batches of a run leave other processors without work.
_MOST_UNITS = 64
_BATCHES_PER_CPU = 8
# Enough that a slow batch at the head of the queue does not idle the others.
_AHEAD = 4
_RETRIES = 10
_TIDY_SECONDS = 10
# The name, and the reference, of a folder's files.
_Parcel = tuple[str, Any]


def run_on_cluster(
    task: Task[Result],
    units: Sequence[Unit],
    settings: Settings,
    workers: int | None = None,
    address: str = "local",
) -> Generator[tuple[Unit, Result | Failure], None, None]:
    """Yields each unit with the result of `task`, in the order of `units`.

    Args:
        task: module-level function.
        units: what to run it on.
        settings: handed to the task; its limits bound each call.
        workers: processes of a `local` cluster, and batches at a time of another one; None for
            as many as there are processors.
        address: `local` for a cluster of this machine alone, that ends with the run; else of one
            that runs, as Ray knows it: `auto`, or `HOST:PORT`.

    Raises:
        OscarError: there is no Ray, no such cluster, or one whose machines cannot do the work.
    """
    with _connected(address, workers) as ray:
        processors = int(ray.cluster_resources().get("CPU", 0))
        if processors < 1:
            raise OscarError(f"--address {address}: its machines have no processor to work with")
        bound = processors * _AHEAD if workers is None or address == "local" else workers
        send = ray.remote(num_cpus=1, max_retries=_RETRIES)(run_batch)
        shipment = _Shipment(ray, units)
        tools = tool_versions(settings)
        waiting: deque[tuple[list[Unit], Any]] = deque()
        for batch in _batches(units, processors):
            parcels = shipment.parcels(batch)
            waiting.append((batch, send.remote(task, batch, settings, tools, parcels)))
            if len(waiting) >= bound:
                yield from _taken(ray, *waiting.popleft())
        while waiting:
            yield from _taken(ray, *waiting.popleft())
        _tidy(ray)


def run_batch(
    task: Task[Result],
    units: Sequence[Unit],
    settings: Settings,
    tools: dict[str, str | None],
    parcels: dict[Path, _Parcel],
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


class _Shipment:
    """The folders of the units, packed when the first of their units is sent."""

    def __init__(self, ray: Any, units: Sequence[Unit]):
        self._ray = ray
        self._units: dict[Path, list[Unit]] = {}
        for unit in units:
            for place in places_of(unit):
                self._units.setdefault(place, []).append(unit)
        run = uuid.uuid4().hex
        self._names = {place: f"{run}{i:08x}" for i, place in enumerate(self._units)}
        self._sent: dict[Path, _Parcel] = {}

    def parcels(self, batch: Sequence[Unit]) -> dict[Path, _Parcel]:
        """What a batch needs; what only earlier ones needed is let go."""
        places = dict.fromkeys(place for unit in batch for place in places_of(unit))
        self._sent = {place: self._sent.get(place) or self._packed(place) for place in places}
        return self._sent

    def _packed(self, place: Path) -> _Parcel:
        return self._names[place], self._ray.put(pack(place, self._units[place]))


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


def _batches(units: Sequence[Unit], processors: int) -> Iterator[list[Unit]]:
    size = max(1, min(_MOST_UNITS, len(units) // (processors * _BATCHES_PER_CPU)))
    return (list(units[start : start + size]) for start in range(0, len(units), size))


def _taken(ray: Any, batch: list[Unit], result: Any) -> Iterator[tuple[Unit, Any]]:
    """Waits for the results of a batch."""
    from ray import exceptions

    try:
        results = ray.get(result)
    except exceptions.RayTaskError as error:
        if isinstance(error.cause, OscarError):
            raise OscarError(str(error.cause)) from None
        said = one_line(f"a machine of the cluster cannot do its work: {error.cause!r}")
        raise OscarError(said) from None
    except exceptions.RayError as error:
        # What Ray says has many lines of advice; the first tells what happened.
        said = str(error).strip().split("\n")[0]
        raise OscarError(
            one_line(
                f"the cluster lost a batch {_RETRIES + 1} times, the same command continues "
                f"the run: {said}"
            )
        ) from None
    yield from zip(batch, results, strict=True)


@contextmanager
def _connected(address: str, workers: int | None) -> Iterator[Any]:
    """Ray, connected to a cluster; a session of the caller's own is used, and left open."""
    ray = _ray(address)
    if ray.is_initialized():
        yield ray
        return
    with ExitStack() as stack:
        options: dict[str, Any] = {}
        if address == "local":
            options = {"num_cpus": worker_count(workers), "include_dashboard": False}
            # Ray leaves its logs behind.
            options["_temp_dir"] = str(stack.enter_context(scratch_folder()))
        try:
            ray.init(address, log_to_driver=False, logging_level=logging.ERROR, **options)
        except (OSError, RuntimeError, ValueError) as error:
            said = f"--address {address}: no Ray cluster can be used there: {error}"
            raise OscarError(one_line(said)) from None
        stack.callback(ray.shutdown)
        yield ray


def _ray(address: str) -> Any:
    # Nobody is told what runs here.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if address == "local" and "ray" not in sys.modules:
        # Whoever reaches Ray's ports can run programs: a cluster of one machine stays on it. Ray
        # knows one that has no network by a name of other systems.
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    try:
        import ray
    except ImportError:
        raise OscarError("--engine ray needs Ray: pip install 'oscar-ir[ray]'") from None
    return ray


def _tidy(ray: Any) -> None:
    """Removes the sources from all machines; what stays is removed by the next run there."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy as On

    nodes = [node["NodeID"] for node in ray.nodes() if node["Alive"]]
    tidy = ray.remote(num_cpus=0, max_retries=0)(sweep)
    done = [tidy.options(scheduling_strategy=On(node, soft=False)).remote() for node in nodes]
    ray.wait(done, num_returns=len(done), timeout=_TIDY_SECONDS)
