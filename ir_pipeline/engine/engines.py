"""Where units are worked on: in processes of this machine, or on a Ray cluster."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial
from typing import Protocol

from ir_pipeline.engine.work import Settings
from ir_pipeline.engine.workers import Result, Task, run_units, worker_count
from ir_pipeline.errors import Failure
from ir_pipeline.sources.units import Unit
from static_analysis.errors import OscarError


class Engine(Protocol):
    """Does the work of a run. Engines differ in where it is done, never in what comes out."""

    def __call__(
        self, task: Task[Result], units: Sequence[Unit], settings: Settings
    ) -> Generator[tuple[Unit, Result | Failure], None, None]:
        """Yields each unit with the result of a task, in the order of the units."""


def choose_engine(
    name: str = "local", address: str | None = None, workers: int | None = None
) -> Engine:
    """The engine of a name.

    Args:
        name: `local` or `ray`.
        address: of the Ray cluster; None for one of this machine alone.
        workers: number of processes; None for one per processor.

    Raises:
        OscarError: there is no such engine, it has no address, or no worker is asked for.
    """
    if workers is not None:
        worker_count(workers)
    if name == "local" and address is None:
        return partial(run_units, workers=workers)
    if name == "local":
        raise OscarError(f"--address {address}: of a Ray cluster: add --engine ray")
    if name != "ray":
        raise OscarError(f"--engine {name}: no such engine: choose local or ray")
    from ir_pipeline.engine.cluster import run_on_cluster

    return partial(run_on_cluster, workers=workers, address=address or "local")
