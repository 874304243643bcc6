"""Telling the two views of a function from those of other functions: three ways, by name.

"moco" (`pretrain.objective.moco`) compares with keys of earlier steps, "in-batch" with the
functions of the same step, "none" not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import torch
import torch.distributed
import torch.nn.functional as F
from torch import Tensor, nn

from pretrain.data.batches import PairBatch


class Told(NamedTuple):
    """How well the functions of a micro-batch were told from others.

    Attributes:
        loss: Sum over the functions of their losses (scalar).
        right: How many were nearest to their own other view (scalar, no gradient).
    """

    loss: Tensor
    right: Tensor


class Contrast(Protocol):
    """A way of contrast; it is no module, so that the engine neither trains nor shares it out."""

    def begin(self, batches: Sequence[PairBatch], classes: Tensor) -> None:
        """Prepares a step; every rank must, with as many micro-batches as the others.

        Args:
            batches: This rank's micro-batches.
            classes: Class of every function of the step, over all ranks (step size,).
        """

    def tell(self, queries: Tensor, batch: PairBatch) -> Told:
        """Compares functions with others.

        Args:
            queries: Unit vectors (batch, dim) of the masked views, with gradient.
            batch: The micro-batch they come from, one of those of `begin`.
        """

    def follow(self, encoder: nn.Module, step: int) -> None:
        """Takes note of the encoder as it is after step `step` (from 0); every rank must."""

    def state_dict(self) -> dict[str, Tensor]:
        """What a checkpoint has to hold; the same on all ranks."""

    def load_state_dict(self, state: dict[str, Tensor]) -> None:
        """Takes over what `state_dict` gave."""


class NoContrast:
    """Only tokens are guessed."""

    def begin(self, batches: Sequence[PairBatch], classes: Tensor) -> None:
        """Has nothing to prepare."""

    def tell(self, queries: Tensor, batch: PairBatch) -> Told:
        """Gives a loss of zero, so that a head has a gradient, of zero."""
        return Told(queries.sum() * 0, queries.new_zeros(()))

    def follow(self, encoder: nn.Module, step: int) -> None:
        """Has nothing that changes."""

    def state_dict(self) -> dict[str, Tensor]:
        """Has no state."""
        return {}

    def load_state_dict(self, state: dict[str, Tensor]) -> None:
        """Has no state."""


class InBatchContrast(NoContrast):
    """Both views of a function against those of all others of the step, and the other way round.

    The symmetric loss of Radford et al. ("CLIP", 2021) with gradients through both views. A step
    need not fit in memory: the vectors of all its functions are computed first, without gradient
    and dropout, and each micro-batch puts its own among them, as in Gao et al. ("Scaling Deep
    Contrastive Learning Batch Size under Memory Limited Setup", 2021). Without dropout the
    gradients of the micro-batches of all ranks add up to exactly those of the whole step.

    Args:
        encoder: Gives unit vectors (batch, dim) of functions.
        temperature: Divisor of the similarities.
    """

    def __init__(self, encoder: nn.Module, temperature: float) -> None:
        self._encoder, self._temperature = encoder, temperature
        self._queries = self._keys = self._classes = torch.empty(0)

    @torch.no_grad()
    def begin(self, batches: Sequence[PairBatch], classes: Tensor) -> None:
        """Computes the vectors of both views of all functions of the step."""
        training = self._encoder.training
        self._encoder.eval()
        masked = [self._encoder(batch.query.batch) for batch in batches]
        whole = [self._encoder(batch.key) for batch in batches]
        self._encoder.train(training)
        places = [batch.places for batch in batches]
        self._queries, self._keys = (deal(part, places, len(classes)) for part in (masked, whole))
        self._classes = classes

    def tell(self, queries: Tensor, batch: PairBatch) -> Told:
        """Compares with all functions of the step but those of the same class."""
        keys = self._encoder(batch.key)
        everything = (
            self._queries.index_copy(0, batch.places, queries),
            self._keys.index_copy(0, batch.places, keys),
        )
        losses, right = symmetric_losses(*everything, self._classes, self._temperature)
        # A vector counts in the losses of other micro-batches too: its gradient is that of the
        # step's whole loss, while the value is the part of this micro-batch.
        elsewhere = losses.sum() - losses.sum().detach()
        return Told(losses[batch.places].sum().detach() + elsewhere, right[batch.places].sum())


def symmetric_losses(
    queries: Tensor, keys: Tensor, classes: Tensor, temperature: float
) -> tuple[Tensor, Tensor]:
    """Cross entropy of finding the own key among the keys, and the own query among the queries.

    Args:
        queries: Unit vectors (n, dim).
        keys: Unit vectors (n, dim), row i the other view of function i.
        classes: Class of each function (n,); others of the own class are left out.
        temperature: Divisor of the similarities.

    Returns:
        The mean of both losses (n,) and whether the own key was the nearest (n,).
    """
    logits = queries @ keys.T / temperature
    alike = (classes == classes[:, None]).fill_diagonal_(False)
    logits = logits.masked_fill(alike, -torch.inf)
    own = torch.arange(len(logits), device=logits.device)
    pairs = [F.cross_entropy(part, own, reduction="none") for part in (logits, logits.T)]
    return (pairs[0] + pairs[1]) / 2, logits.argmax(1) == own


def deal(rows: Sequence[Tensor], places: Sequence[Tensor], size: int) -> Tensor:
    """Puts rows of all ranks in the order of the step; every rank must ask.

    Args:
        rows: This rank's rows, (n, dim) for each micro-batch.
        places: The place (n,) of each in the step.
        size: Functions in the step.

    Returns:
        Rows (size, dim), the same on every rank.
    """
    mine = torch.cat(list(rows))
    dealt = mine.new_zeros(size, mine.shape[1]).index_copy(0, torch.cat(list(places)), mine)
    if torch.distributed.is_initialized() and torch.distributed.get_world_size() > 1:
        torch.distributed.all_reduce(dealt)
    return dealt
