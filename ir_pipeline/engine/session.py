"""The connection to a Ray cluster: to one that runs, or to one made for a run on this machine."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from ir_pipeline.engine.workers import worker_count
from ir_pipeline.errors import one_line
from ir_pipeline.scratch import scratch_folder, sweep
from static_analysis.errors import OscarError

_TIDY_SECONDS = 30
_KNOCK_SECONDS = 10
# How a client begins in HTTP/2, with empty settings, and what it is answered with (RFC 9113, 3.4
# and 4.1): a frame whose header of 9 bytes has its type in the fourth.
_SETTINGS = b"\4"
_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0" + _SETTINGS + b"\0\0\0\0\0"
_HEADER, _TYPE = 9, 3


@contextmanager
def connected(address: str, workers: int | None) -> Iterator[Any]:
    """Ray, connected to a cluster; a session of the caller's own is used, and left open.

    Args:
        address: as in `run_on_cluster`.
        workers: processors of a `local` cluster.

    Raises:
        OscarError: there is no Ray, or no such cluster.
    """
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
            stack.callback(sweep)
        check_reachable(address)
        try:
            with _own_signals():
                ray.init(address, log_to_driver=False, logging_level=logging.ERROR, **options)
        except (OSError, RuntimeError, ValueError) as error:
            said = f"--address {address}: no Ray cluster can be used there: {error}"
            raise OscarError(one_line(said)) from None
        stack.callback(ray.shutdown)
        yield ray


def check_reachable(address: str) -> None:
    """Knocks at the door of a cluster; Ray would wait there for minutes.

    Args:
        address: as in `run_on_cluster`; `auto` is where `RAY_ADDRESS` leads, if that is set.

    Raises:
        OscarError: at a HOST:PORT nothing listens, or nothing that could be Ray.
    """
    named = os.environ.get("RAY_ADDRESS") if address == "auto" else None
    host, _, port = (named or address).removeprefix("ray://").rpartition(":")
    if not (host and port.isdecimal()):
        return
    place = f"{address} (RAY_ADDRESS={named})" if named else address
    try:
        with socket.create_connection((host.strip("[]"), int(port)), _KNOCK_SECONDS) as door:
            answers = os.environ.get("RAY_USE_TLS", "0") != "0" or _answers_as_ray(door)
    except (OSError, OverflowError, UnicodeError) as error:
        raise OscarError(one_line(f"--address {place}: nothing answers there: {error}")) from None
    if not answers:
        raise OscarError(f"--address {place}: no Ray cluster answers there: is it the right port?")


def _answers_as_ray(door: socket.socket) -> bool:
    """Whether a server of gRPC, as each of Ray's is, answers a client's first words."""
    door.sendall(_GREETING)
    return door.recv(_HEADER)[_TYPE : _TYPE + 1] == _SETTINGS


@contextmanager
def _own_signals() -> Iterator[None]:
    """Puts back how SIGTERM ends this process; with Ray's way it leaves a dump of its stack."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, before)


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


def tidy(ray: Any) -> None:
    """Removes the sources from the machines; what stays is removed by the next run there."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy as On

    nodes = [node["NodeID"] for node in ray.nodes() if node["Alive"]]
    sweeper = ray.remote(num_cpus=0, max_retries=0)(sweep)
    done = [sweeper.options(scheduling_strategy=On(node, soft=False)).remote() for node in nodes]
    ray.wait(done, num_returns=len(done), timeout=_TIDY_SECONDS)
