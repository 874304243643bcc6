"""Runs a task on every unit on a Ray cluster, with the limits and the results of one machine.

A Ray task is a batch of units. The machine that it comes to runs them in a worker process of
`workers`, so that what a unit may cost, and what becomes of one that hangs or crashes, is the same
everywhere. A batch whose machine or process is lost is started again by Ray. Sources travel once
to each machine, by Ray's object store: machines need not share any disk.
"""

from __future__ import annotations

import uuid
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from ir_pipeline.engine.batch import Parcel, run_batch
from ir_pipeline.engine.session import connected, tidy
from ir_pipeline.engine.tools import tool_versions
from ir_pipeline.engine.work import Settings
from ir_pipeline.engine.workers import Result, Task
from ir_pipeline.errors import Failure, one_line
from ir_pipeline.sources.parcel import pack, places_of
from ir_pipeline.sources.units import Unit
from static_analysis.errors import OscarError

# A worker process takes a tenth of a second to start: many units share it. But not so many that
# the last batches of a run leave other processors without work.
_MOST_UNITS = 64
_BATCHES_PER_CPU = 8
# Enough that a slow batch at the head of the queue does not idle the others.
_AHEAD = 4
_RETRIES = 10


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
    with connected(address, workers) as ray:
        processors = int(ray.cluster_resources().get("CPU", 0))
        if processors < 1:
            raise OscarError(f"--address {address}: its machines have no processor to work with")
        bound = processors * _AHEAD if workers is None or address == "local" else workers
        sent = _sent(ray, task, _batches(units, processors), settings, _Shipment(ray, units))
        waiting = deque(islice(sent, bound))
        try:
            while waiting:
                yield from _taken(ray, *waiting.popleft())
                waiting.extend(islice(sent, 1))
        finally:
            for _, unwanted in waiting:
                ray.cancel(unwanted, force=True)
            if not waiting and address != "local":
                tidy(ray)


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
        self._sent: dict[Path, Parcel] = {}

    def parcels(self, batch: Sequence[Unit]) -> dict[Path, Parcel]:
        """What a batch needs; what only earlier ones needed is let go."""
        places = dict.fromkeys(place for unit in batch for place in places_of(unit))
        self._sent = {place: self._sent.get(place) or self._packed(place) for place in places}
        return self._sent

    def _packed(self, place: Path) -> Parcel:
        return self._names[place], self._ray.put(pack(place, self._units[place]))


def _batches(units: Sequence[Unit], processors: int) -> Iterator[list[Unit]]:
    size = max(1, min(_MOST_UNITS, len(units) // (processors * _BATCHES_PER_CPU)))
    return (list(units[start : start + size]) for start in range(0, len(units), size))


def _sent(
    ray: Any,
    task: Task[Result],
    batches: Iterator[list[Unit]],
    settings: Settings,
    shipment: _Shipment,
) -> Iterator[tuple[list[Unit], Any]]:
    """Sends batches to the cluster, one each time that it is asked for one."""
    send = ray.remote(num_cpus=1, max_retries=_RETRIES)(run_batch)
    tools = tool_versions(settings)
    for batch in batches:
        yield batch, send.remote(task, batch, settings, tools, shipment.parcels(batch))


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
