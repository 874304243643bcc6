"""DeepSpeed for one process or many, on CPU or GPU, without set-up and without its log lines."""

from __future__ import annotations

import atexit
import logging
import os
import socket
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
import torch.distributed
from torch import Tensor, nn

from pretrain.config import TrainingConfig

T = TypeVar("T")

_AUTOCAST = {"bf16": torch.bfloat16, "fp16": torch.float16}


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
        if self.size == 1:
            return flag
        flags = torch.tensor(float(flag), device=self.device)
        torch.distributed.all_reduce(flags, op=torch.distributed.ReduceOp.MAX)
        return bool(flags.item())

    def mean(self, values: Tensor) -> Tensor:
        """The mean over the processes of `values`; every process must ask."""
        if self.size > 1:
            torch.distributed.all_reduce(values)
        return values / self.size

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
    deepspeed = _quiet_deepspeed()
    if not has_gpu:
        # DeepSpeed would compile a shared-memory all-reduce for a minute, needing ninja and a C++
        # compiler; an empty table of compiled operations makes it use gloo's.
        deepspeed.ops.__compatible_ops__ = {}
    if not torch.distributed.is_initialized():
        deepspeed.init_distributed("nccl" if has_gpu else "gloo", verbose=False)
        atexit.register(torch.distributed.destroy_process_group)
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if has_gpu else torch.device("cpu")
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


def _quiet_deepspeed() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import deepspeed
    logging.getLogger("DeepSpeed").setLevel(logging.ERROR)
    return deepspeed


def deepspeed_config(config: TrainingConfig) -> dict[str, Any]:
    """The DeepSpeed options that `config` stands for; the learning rate is set at each step."""
    options: dict[str, Any] = {
        "train_micro_batch_size_per_gpu": config.batch_size,
        "gradient_clipping": config.clip,
        "optimizer": {
            "type": "AdamW",
            "params": {
                "lr": config.learning_rate,
                "betas": [0.9, 0.999],
                "weight_decay": config.weight_decay,
                # DeepSpeed's own Adam is compiled at first use, for minutes on a CPU.
                "torch_adam": True,
            },
        },
        "zero_optimization": {"stage": config.zero_stage},
    }
    if config.precision in _AUTOCAST:
        dtype = str(_AUTOCAST[config.precision]).removeprefix("torch.")
        options["torch_autocast"] = {"enabled": True, "dtype": dtype}
    return options


def build_engine(model: nn.Module, config: TrainingConfig) -> Any:
    """A DeepSpeed engine that trains `model` as `config` says.

    Every rank starts from rank 0's weights. The returned engine is called like the model and has
    `backward`, `step`, `save_checkpoint` and `load_checkpoint`.
    """
    deepspeed = _quiet_deepspeed()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what DeepSpeed imports for ZeRO
        engine, *_ = deepspeed.initialize(
            model=model,
            model_parameters=[weight for weight in model.parameters() if weight.requires_grad],
            config=deepspeed_config(config),
        )
    return engine


def autocast(config: TrainingConfig, device: torch.device) -> torch.autocast:
    """The precision in which the engine runs the model, for modules outside the engine."""
    dtype = _AUTOCAST.get(config.precision)
    return torch.autocast(device.type, dtype=dtype or torch.bfloat16, enabled=dtype is not None)


def set_learning_rate(engine: Any, rate: float) -> None:
    """Sets the rate of the engine's next step."""
    for group in engine.optimizer.param_groups:
        group["lr"] = rate
