"""The state of training by the names of the weights, whatever ZeRO stage and ranks share it.

DeepSpeed's own checkpoints hold each rank's share, and another number of ranks needs them converted
first (its universal checkpoint). Here every weight and its two moments of Adam are gathered whole
and written under its name, without pickle: any number of ranks, any ZeRO stage, with offload or
without, takes its own part of them. The price is that rank 0 holds the optimiser in CPU memory
while it writes: 12 bytes a weight.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from pretrain.config import TrainingError
from pretrain.engine.engine import gathered
from pretrain.engine.optimiser import MOMENTS, ClippingAdamW
from pretrain.engine.world import quiet_deepspeed

WEIGHTS, CONTRAST, OPTIMISER = "weights.safetensors", "contrast.safetensors", "adam.safetensors"
_STEPS, _SCALE = "steps", "scale"


def save_state(folder: Path | None, engine: Any, optimiser: ClippingAdamW) -> None:
    """Writes weights, contrast and optimiser; every rank must call this.

    Args:
        folder: Where to write; None on all ranks but the one that writes.
        engine: The engine around a `PretrainingModel`.
        optimiser: The engine's optimiser.
    """
    weights = list(engine.module.parameters())
    with gathered(weights):
        if folder is not None:
            _write(folder / WEIGHTS, engine.module.state_dict())
    # Weight by weight: gathered whole, they need not all fit a rank's device.
    moments = {name: moment.cpu() for name, moment in _moments(engine, optimiser) if folder}
    if folder is not None:
        counters = (optimiser.scale.value, optimiser.scale.steps)
        moments[_STEPS] = optimiser.steps
        moments[_SCALE] = torch.tensor(counters, dtype=torch.float64)
        _write(folder / OPTIMISER, moments)
        _write(folder / CONTRAST, engine.module.contrast.state_dict())


def load_weights(folder: Path, objective: nn.Module) -> None:
    """Takes weights and contrast over into a `PretrainingModel` that no engine has shared out yet.

    Raises:
        TrainingError: A file is missing or damaged.
    """
    objective.load_state_dict(_read(folder / WEIGHTS))
    contrast: Any = objective.contrast
    contrast.load_state_dict(_read(folder / CONTRAST))


def load_moments(folder: Path, engine: Any, optimiser: ClippingAdamW) -> None:
    """Takes the optimiser over, each rank its own part.

    Raises:
        TrainingError: The file is missing or damaged.
    """
    saved = _read(folder / OPTIMISER)
    optimiser.set_steps(saved[_STEPS])
    value, steps = saved[_SCALE].tolist()
    optimiser.scale.value, optimiser.scale.steps = value, int(steps)
    for name, weight in engine.module.named_parameters():
        for moment in MOMENTS:
            _set_moment(engine, optimiser, weight, moment, saved[f"{moment}.{name}"])


def _moments(engine: Any, optimiser: ClippingAdamW) -> Iterator[tuple[str, Tensor]]:
    """The moments of all weights by name, whole on every rank; every rank must ask for all."""
    get = quiet_deepspeed().utils.safe_get_full_optimizer_state
    for name, weight in engine.module.named_parameters():
        for moment in MOMENTS:
            own = optimiser.state.get(weight)  # ZeRO 0
            yield f"{moment}.{name}", own[moment] if own else get(weight, moment)


def _set_moment(
    engine: Any, optimiser: ClippingAdamW, weight: nn.Parameter, moment: str, value: Tensor
) -> None:
    own = optimiser.state.get(weight)
    utils = quiet_deepspeed().utils
    if own:
        own[moment].copy_(value)
    elif hasattr(weight, "ds_tensor"):  # ZeRO 3: slices of equal length, the last one padded
        length, rank = weight.ds_tensor.numel(), engine.global_rank
        padded = F.pad(value.flatten(), (0, length * engine.world_size - value.numel()))
        part = padded[rank * length : (rank + 1) * length]
        utils.safe_set_local_optimizer_state(weight, part, moment)
    else:
        utils.safe_set_full_optimizer_state(weight, value, moment)


def _write(path: Path, tensors: dict[str, Tensor]) -> None:
    save_file({name: part.detach().cpu().contiguous() for name, part in tensors.items()}, path)


def _read(path: Path) -> dict[str, Tensor]:
    try:
        return load_file(path)
    except (OSError, SafetensorError):
        raise TrainingError(
            f"{path.parent} is incomplete: resume from another checkpoint"
        ) from None
