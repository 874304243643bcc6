"""AdamW that clips its gradients and leaves out a step whose gradients are not finite.

DeepSpeed clips and checks in ways that differ with the ZeRO stage and the precision; at stage 0 in
single precision it checks nothing. At every stage it ends in the `step` of the optimiser that it
was given, with the gradients of this rank's share of the weights: here all of that is done once.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, nn

from pretrain.config import TrainingConfig
from pretrain.engine.world import World

_FIRST_SCALE, _GROWTH_STEPS = 2.0**16, 2000
"""As in Micikevicius et al., "Mixed Precision Training" (2018), and `torch.amp.GradScaler`."""

MOMENTS = ("exp_avg", "exp_avg_sq")
"""Of Adam, as torch names them."""


class LossScale:
    """What the loss is multiplied by, so that half-precision gradients do not vanish.

    Halved when a gradient overflowed, doubled after 2,000 steps without; always 1 unless `scales`.

    Attributes:
        value: The scale.
        steps: Steps since it last changed.
    """

    def __init__(self, scales: bool) -> None:
        self.scales = scales
        self.value = _FIRST_SCALE if scales else 1.0
        self.steps = 0

    def update(self, finite: bool) -> None:
        """Takes note of a step."""
        if not self.scales:
            return
        self.steps += 1
        if not finite or self.steps == _GROWTH_STEPS:
            self.value *= 2.0 if finite else 0.5
            self.steps = 0


class ClippingAdamW(torch.optim.AdamW):
    """AdamW with decoupled weight decay (Loshchilov and Hutter 2019), in torch's fused form.

    Args:
        weights: What to train, before an engine shares it out.
        config: Gives decay, largest norm, precision, and whether the ranks share the weights.
        world: This process among the others.

    Attributes:
        scale: What the loss was multiplied by; gradients are divided by it.
        norm: Norm of the gradients of the last step, all weights of all ranks together.
        applied: Whether the last step was taken; set it to False before a step.
    """

    def __init__(
        self, weights: Iterable[nn.Parameter], config: TrainingConfig, world: World
    ) -> None:
        super().__init__(
            weights, lr=config.learning_rate, weight_decay=config.weight_decay, fused=True
        )
        self.scale = LossScale(config.precision == "fp16")
        self.norm = float("nan")
        self.applied = False
        self._clip, self._shared, self._world = config.clip, config.zero_stage > 0, world

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        """Takes a step with the gradients that the weights have, unless one is not finite."""
        groups = self.param_groups
        gradients = [w.grad for group in groups for w in group["params"] if w.grad is not None]
        self.norm = self._norm(gradients) / self.scale.value
        if self.norm < float("inf"):
            factor = min(1.0, self._clip / (self.norm + 1e-6)) / self.scale.value
            torch._foreach_mul_(gradients, factor)
            super().step()
            self.applied = True

    def begin(self, weights: Iterable[Tensor]) -> None:
        """Gives the weights that it trains, as the engine shares them out, moments of zero."""
        for weight in weights:
            moments = {name: torch.zeros_like(weight.data) for name in MOMENTS}
            steps = torch.zeros((), dtype=torch.float32, device=weight.device)
            self.state[weight] = {"step": steps, **moments}

    @property
    def steps(self) -> Tensor:
        """Steps taken, a float scalar."""
        counts: list[Tensor] = [state["step"] for state in self.state.values()]
        return counts[0].cpu()

    def set_steps(self, steps: Tensor) -> None:
        """Sets the number of steps taken, on which the correction of the moments depends."""
        for state in self.state.values():
            state["step"].copy_(steps)

    def set_rate(self, rate: float) -> None:
        """Sets the learning rate of the next step."""
        for group in self.param_groups:
            group["lr"] = rate

    def _norm(self, gradients: list[Tensor]) -> float:
        square = torch.nn.utils.get_total_norm(gradients).double().square()
        return float((self._world.sum(square) if self._shared else square).sqrt())
