"""Momentum contrast: a slowly moving copy of the encoder and a queue of its recent keys.

He et al., "Momentum Contrast for Unsupervised Visual Representation Learning" (2020), as used by
OSCAR (Peng et al. 2021, section 4.2) to pull the views of one function together.
"""

from __future__ import annotations

import copy

import torch
import torch.distributed
import torch.nn.functional as F
from torch import Tensor, nn

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
        encoder: The encoder to follow; its weights are the starting point.
    """

    def __init__(self, encoder: nn.Module) -> None:
        self.encoder = copy.deepcopy(encoder).eval().requires_grad_(False)

    @torch.no_grad()
    def update(self, encoder: nn.Module, decay: float) -> None:
        """Moves every weight: own ← decay · own + (1 - decay) · followed."""
        for own, followed in zip(self.encoder.parameters(), encoder.parameters(), strict=True):
            own.lerp_(followed.to(own.dtype), 1 - decay)
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
        self.next = 0

    @torch.no_grad()
    def push(self, keys: Tensor, classes: Tensor) -> None:
        """Writes keys (n, dim) of classes (n,), n of any size; of n > size the last ones stay.

        A key that is not finite leaves its slot unfilled: it would spoil every later loss.
        """
        size = len(self.classes)
        keys, classes = keys[-size:], classes[-size:]
        classes = classes.masked_fill(~keys.isfinite().all(1), UNFILLED)
        keys = keys.nan_to_num(0, 0, 0)
        slots = torch.arange(self.next, self.next + len(keys), device=self.keys.device) % size
        self.keys[slots] = keys.to(self.keys.dtype)
        self.classes[slots] = classes
        self.next = (self.next + len(keys)) % size

    def state_dict(self) -> dict[str, Tensor | int]:
        """The queue's whole state, for a checkpoint."""
        return {"keys": self.keys, "classes": self.classes, "next": self.next}

    def load_state_dict(self, state: dict[str, Tensor | int]) -> None:
        """Takes over a state of `state_dict` written by a queue of the same size."""
        self.keys.copy_(torch.as_tensor(state["keys"]))
        self.classes.copy_(torch.as_tensor(state["classes"]))
        self.next = int(state["next"])


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


def contrastive_loss(logits: Tensor) -> Tensor:
    """Mean cross entropy of `contrastive_logits` with column 0 as the right answer (scalar)."""
    return F.cross_entropy(
        logits, torch.zeros(len(logits), dtype=torch.int64, device=logits.device)
    )


def gather(rows: Tensor) -> Tensor:
    """Rows (n, …) of all ranks in rank order; the rows themselves when there is one process."""
    if not torch.distributed.is_initialized() or torch.distributed.get_world_size() == 1:
        return rows
    parts = [torch.empty_like(rows) for _ in range(torch.distributed.get_world_size())]
    torch.distributed.all_gather(parts, rows.contiguous())
    return torch.cat(parts)
