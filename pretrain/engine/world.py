"""This training process among the others, on CPU or GPU, without set-up and without log lines."""

from __future__ import annotations

import atexit
import logging
import os
import socket
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

import torch
import torch.distributed
from torch import Tensor

T = TypeVar("T")

_PATIENCE = timedelta(hours=6)
"""How long processes wait for each other; rank 0 alone encodes a corpus."""
DEPRECATED = r"`torch\.distributed\.\w+` is deprecated"
"""What a warning says that is none of the user's business."""


@dataclass(frozen=True, slots=True)
class World:
    """This process among the training processes.

    Attributes:
        rank: Number of this process, from 0.
        size: Number of processes.
        device: Where this process computes.
    """

    rank: int
    size: int
    device: torch.device

    @property
    def leads(self) -> bool:
        """Whether this process writes the files and prints."""
        return self.rank == 0

    def wait(self) -> None:
        """Returns once every process has come here."""
        if self.size > 1:
            torch.distributed.barrier()

    def any(self, flag: bool) -> bool:
        """Whether `flag` is true in some process; every process must ask."""
        return bool(self.sum(torch.tensor(float(flag))) > 0)

    def sum(self, values: Tensor) -> Tensor:
        """The sum over the processes of `values`, on `device`; every process must ask."""
        total = values.to(self.device, copy=True)
        if self.size > 1:
            torch.distributed.all_reduce(total)
        return total

    def lead_first(self, work: Callable[[], T]) -> T:
        """Calls `work` in rank 0, then in the others, who find the files it has written."""
        if not self.leads:
            self.wait()
        result = work()
        if self.leads:
            self.wait()
        return result


def start() -> World:
    """Joins the launcher's process group, or makes one of this process alone.

    Without a launcher nothing need be set: rank, world size and a free local port are filled in.
    """
    has_gpu = torch.cuda.is_available()
    if not has_gpu:
        os.environ["DS_ACCELERATOR"] = "cpu"
    if "RANK" not in os.environ:
        os.environ.update(_alone())
    deepspeed = quiet_deepspeed()
    # DeepSpeed calls functions of torch that have new names, at every step.
    warnings.filterwarnings("ignore", DEPRECATED, FutureWarning)
    if not has_gpu:
        # DeepSpeed would compile a shared-memory all-reduce for a minute, needing ninja and a C++
        # compiler; an empty table of compiled operations makes it use gloo's.
        deepspeed.ops.__compatible_ops__ = {}
    device = torch.device("cpu")
    if has_gpu:
        device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device)
    if not torch.distributed.is_initialized():
        backend = "nccl" if has_gpu else "gloo"
        deepspeed.init_distributed(backend, timeout=_PATIENCE, verbose=False)
        atexit.register(torch.distributed.destroy_process_group)
    return World(torch.distributed.get_rank(), torch.distributed.get_world_size(), device)


def _alone() -> dict[str, str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    return {
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(port),
        "RANK": "0",
        "LOCAL_RANK": "0",
        "WORLD_SIZE": "1",
    }


def quiet_deepspeed() -> Any:
    """The module `deepspeed`, imported without its warnings and messages."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import deepspeed
    logging.getLogger("DeepSpeed").setLevel(logging.ERROR)
    return deepspeed
