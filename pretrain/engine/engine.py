"""The DeepSpeed engine around a model: ZeRO 0 to 3, offload, precision."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import torch
from torch import Tensor, nn

from pretrain.config import TrainingConfig
from pretrain.engine.optimiser import ClippingAdamW
from pretrain.engine.world import World, quiet_deepspeed

_AUTOCAST = {"bf16": torch.bfloat16, "fp16": torch.float16}
_ONE_GROUP = 10**15
"""Weights that ZeRO 3 updates at once: all, for the optimiser takes the norm of all it is given."""

_KEPT_WHOLE = 10_000
"""ZeRO 3 does not share weights of fewer numbers out: gathering them costs more than it saves."""


def deepspeed_config(config: TrainingConfig) -> dict[str, Any]:
    """The DeepSpeed options that `config` stands for.

    Optimiser, clipping, learning rate and precision are not among them: `ClippingAdamW` is given
    to the engine, the rate is set at each step, and the model computes under autocast around
    weights and gradients in single precision. Nor is the batch, which is cut as its functions fit:
    DeepSpeed is told of one micro-batch and where each step ends.
    """
    zero: dict[str, Any] = {"stage": config.zero_stage}
    if config.offload:
        zero["offload_optimizer"] = {"device": "cpu"}
    if config.zero_stage == 3:
        zero["sub_group_size"] = _ONE_GROUP
        zero["stage3_param_persistence_threshold"] = _KEPT_WHOLE
        if config.offload:
            zero["offload_param"] = {"device": "cpu"}
    return {
        "train_micro_batch_size_per_gpu": 1,
        "gradient_clipping": 0.0,  # DeepSpeed's default is 1
        "zero_optimization": zero,
        # DeepSpeed's own Adam for offloaded weights is compiled at first use, for minutes.
        "zero_force_ds_cpu_optimizer": False,
        "zero_allow_untested_optimizer": True,
    }


def build_engine(
    model: nn.Module, config: TrainingConfig, world: World
) -> tuple[Any, ClippingAdamW]:
    """A DeepSpeed engine that trains `model` as `config` says, and its optimiser.

    Every rank starts from rank 0's weights. The engine is called like the model; `accumulate` and
    `take_step` train it.
    """
    deepspeed = quiet_deepspeed()
    model.forward = autocast(config, world.device)(model.forward)
    weights = [weight for weight in model.parameters() if weight.requires_grad]
    optimiser = ClippingAdamW(weights, config, world)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what DeepSpeed imports for ZeRO
        engine, *_ = deepspeed.initialize(
            model=model, optimizer=optimiser, config=deepspeed_config(config)
        )
    _begin(engine, optimiser)
    return engine, optimiser


def _begin(engine: Any, optimiser: ClippingAdamW) -> None:
    """Makes the optimiser's state, which torch would make at the first step."""
    shared = engine.optimizer
    if engine.zero_optimization_stage() == 3:
        optimiser.begin(shared.fp32_partitioned_groups_flat)
    else:
        optimiser.begin(weight for group in optimiser.param_groups for weight in group["params"])
    if engine.zero_optimization_stage() in (1, 2):
        # DeepSpeed finds out after the first step where the moments of each weight are.
        shared._lazy_init_hp_params_optimizer_state()


def autocast(config: TrainingConfig, device: torch.device) -> torch.autocast:
    """The precision in which the engine runs the model, for modules outside the engine."""
    dtype = _AUTOCAST.get(config.precision)
    return torch.autocast(device.type, dtype=dtype or torch.bfloat16, enabled=dtype is not None)


def accumulate(engine: Any, loss: Tensor, scale: float, *, last: bool) -> None:
    """Adds the gradients of a micro-batch to those of the step.

    Every rank must call this equally often. Gradients add up over micro-batches and ranks, where
    DeepSpeed alone would take their mean over the ranks.

    Args:
        engine: The engine.
        loss: Of the micro-batch, as its share of the step's loss.
        scale: What to multiply it by, so that half-precision gradients do not vanish.
        last: Whether this is the last micro-batch of the step.
    """
    engine.set_gradient_accumulation_boundary(last)
    engine.backward(loss * (engine.world_size * scale), scale_wrt_gas=False)


def take_step(engine: Any, optimiser: ClippingAdamW, rate: float) -> bool:
    """Takes the step whose gradients have been accumulated.

    Args:
        engine: The engine.
        optimiser: Its optimiser.
        rate: The learning rate of this step.

    Returns:
        Whether it was taken: it is not where a gradient is not finite.
    """
    optimiser.set_rate(rate)
    optimiser.applied = False
    engine.step()
    optimiser.scale.update(optimiser.applied)
    return optimiser.applied


def gathered(weights: Iterable[nn.Parameter]) -> AbstractContextManager[Any]:
    """Makes weights that ZeRO 3 has shared out whole inside the context; every rank must enter.

    They are to be read only; what is written to them is lost.
    """
    shared: Sequence[nn.Parameter] = [weight for weight in weights if hasattr(weight, "ds_id")]
    if not shared:
        return nullcontext()
    context: AbstractContextManager[Any] = quiet_deepspeed().zero.GatheredParameters(shared)
    return context


@contextmanager
def at_hand(model: nn.Module) -> Iterator[None]:
    """Lets parts of the model that an engine trains be called by themselves.

    ZeRO 3 gathers the weights that a part reads of others in the engine's own forward pass alone;
    here it does so inside the context. Every rank must enter.
    """
    tables = [part._parameters for part in model.modules()]
    noted: list[Any] = [table for table in tables if hasattr(table, "_in_forward")]
    for table in noted:
        table._in_forward = True
    try:
        yield
    finally:
        for table in noted:
            table._in_forward = False
