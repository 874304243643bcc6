"""Momentum contrast: a slowly moving copy of the encoder and a queue of its recent keys.

He et al., "Momentum Contrast for Unsupervised Visual Representation Learning" (2020), as used by
OSCAR (Peng et al. 2021, section 4.2) to pull the views of one function together.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pretrain.data.batches import PairBatch
from pretrain.engine.engine import gathered
from pretrain.objective.contrast import Told, deal

UNFILLED = -1


def momentum_at(step: int, ceiling: float) -> float:
    """Decay of the momentum encoder after step `step` (from 0): min(ceiling, (1 + t) / (10 + t)).

    A constant 0.999 would leave most of the random initial weights in place for a thousand steps;
    the rise lets the copy forget them early and makes no difference after about 10,000 steps.
    """
    return min(ceiling, (1 + step) / (10 + step))


class MomentumEncoder:
    """An exponential moving average of an encoder's weights that computes the keys.

    Keys are computed without dropout and without gradients. Buffers (such as random features) are
    not averaged: they take the followed encoder's values, so that both draw the same kernel.

    Args:
        encoder: The encoder to follow; its weights are the starting point. They must be whole:
            make the copy before an engine shares them out.
    """

    def __init__(self, encoder: nn.Module) -> None:
        self.encoder = copy.deepcopy(encoder).eval().requires_grad_(False)

    @torch.no_grad()
    def update(self, encoder: nn.Module, decay: float) -> None:
        """Moves every weight: own ← decay · own + (1 - decay) · followed.

        Weights that ZeRO 3 has shared out are gathered, one module at a time; every rank must ask.
        """
        for own, followed in zip(self.encoder.modules(), encoder.modules(), strict=True):
            weights = list(followed.parameters(recurse=False))
            with gathered(weights):
                for mine, theirs in zip(own.parameters(recurse=False), weights, strict=True):
                    mine.lerp_(theirs.to(mine.dtype), 1 - decay)
        for buffer, source in zip(self.encoder.buffers(), encoder.buffers(), strict=True):
            buffer.copy_(source)


class KeyQueue:
    """The last `size` keys with the class each belongs to, oldest overwritten first.

    It starts empty: slots never written carry the class `UNFILLED` and count as no negative.

    Args:
        size: Number of slots.
        dim: Length of a key.
        device: Where the keys live.
    """

    def __init__(self, size: int, dim: int, device: torch.device | str = "cpu") -> None:
        self.keys = torch.zeros(size, dim, device=device)
        self.classes = torch.full((size,), UNFILLED, dtype=torch.int64, device=device)
        self.next = torch.zeros((), dtype=torch.int64)

    @torch.no_grad()
    def push(self, keys: Tensor, classes: Tensor) -> None:
        """Writes keys (n, dim) of classes (n,), n of any size; of n > size the last ones stay.

        A key that is not finite leaves its slot unfilled: it would spoil every later loss.
        """
        size = len(self.classes)
        keys, classes = keys[-size:], classes[-size:]
        classes = classes.masked_fill(~keys.isfinite().all(1), UNFILLED)
        keys = keys.nan_to_num(0, 0, 0)
        slots = (self.next + torch.arange(len(keys))).to(self.keys.device) % size
        self.keys[slots] = keys.to(self.keys.dtype)
        self.classes[slots] = classes
        self.next.copy_((self.next + len(keys)) % size)


class MomentumContrast:
    """The masked view against the momentum encoder's key of the other view and a queue of keys.

    Args:
        encoder: The encoder to train, before an engine shares out its weights; gives unit vectors
            (batch, `encoder.dim`).
        size: Keys in the queue.
        temperature: Divisor of the similarities.
        ceiling: Highest decay of the momentum encoder.
        device: Where the queue lives.
    """

    def __init__(
        self, encoder: Any, *, size: int, temperature: float, ceiling: float, device: torch.device
    ) -> None:
        self.momentum = MomentumEncoder(encoder)
        self.queue = KeyQueue(size, encoder.dim, device)
        self._temperature, self._ceiling = temperature, ceiling
        self._keys = torch.empty(0)

    @torch.no_grad()
    def begin(self, batches: Sequence[PairBatch], classes: Tensor) -> None:
        """Computes the keys of the step and queues them, on all ranks in the same order."""
        keys = [self.momentum.encoder(batch.key) for batch in batches]
        self._keys = deal(keys, [batch.places for batch in batches], len(classes))
        self.queue.push(self._keys, classes)

    def tell(self, queries: Tensor, batch: PairBatch) -> Told:
        """Compares with the queue, where the keys of the whole step are by now."""
        logits = contrastive_logits(
            queries, self._keys[batch.places], batch.classes, self.queue, self._temperature
        )
        first = torch.zeros(len(logits), dtype=torch.int64, device=logits.device)
        loss = F.cross_entropy(logits, first, reduction="sum")
        return Told(loss, (logits.argmax(1) == first).sum())

    def follow(self, encoder: nn.Module, step: int) -> None:
        """Moves the momentum encoder towards the weights after step `step` (from 0)."""
        self.momentum.update(encoder, momentum_at(step, self._ceiling))

    def state_dict(self) -> dict[str, Tensor]:
        """Momentum encoder, its random features included, and queue."""
        queue = vars(self.queue).items()
        encoder = self.momentum.encoder.state_dict().items()
        return {f"queue.{k}": v for k, v in queue} | {f"encoder.{k}": v for k, v in encoder}

    @torch.no_grad()
    def load_state_dict(self, state: dict[str, Tensor]) -> None:
        """Takes over both, of an encoder of the same shape and a queue of the same size."""
        for name, mine in self.state_dict().items():
            mine.copy_(state[name])


def contrastive_logits(
    queries: Tensor, keys: Tensor, classes: Tensor, queue: KeyQueue, temperature: float
) -> Tensor:
    """Similarity of each query to its own key (column 0) and to the queue, over the temperature.

    Columns of unfilled slots and of the query's own class (no true negatives) are minus infinity,
    so cross entropy with target 0 is MoCo's InfoNCE loss (He et al., equation 1).

    Args:
        queries: Unit vectors (batch, dim).
        keys: Unit vectors (batch, dim), row i the positive of query i.
        classes: Class of each query (batch,).
        queue: The negatives.
        temperature: τ of equation 1.

    Returns:
        Logits (batch, 1 + queue size) in float32.
    """
    queries = queries.float()
    own = (queries * keys).sum(-1, keepdim=True)
    excluded = (queue.classes == UNFILLED) | (queue.classes == classes[:, None])
    others = (queries @ queue.keys.T).masked_fill(excluded, -torch.inf)
    return torch.cat([own, others], dim=1) / temperature
