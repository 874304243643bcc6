"""The batch of any step, made from nothing but the seed, the step's number and the rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from oscar.batching import FunctionBatch, collate
from oscar.config import OscarConfig
from pretrain.config import TrainingConfig
from pretrain.data import EncodedCorpus
from pretrain.masking import MaskedBatch, mask_batch
from pretrain.sampling import PairSampler

# What a seed is for, so that masks and dropout of a step are drawn apart.
MASKS, DROPOUT = 1, 2


def step_seed(seed: int, purpose: int, step: int, rank: int) -> int:
    """A seed of its own for each purpose, step and rank."""
    return int(np.random.SeedSequence([seed, purpose, step, rank]).generate_state(1, np.uint64)[0])


@dataclass(frozen=True, slots=True)
class PairBatch:
    """Two views of each of B functions.

    Attributes:
        query: The masked views, which are trained on.
        key: The other views, read whole as an embedding would be.
        classes: Class of each function (B,): those of one class are no negatives to each other.
    """

    query: MaskedBatch
    key: FunctionBatch
    classes: Tensor

    def to(self, device: torch.device) -> PairBatch:
        """Copy to a device."""
        return PairBatch(self.query.to(device), self.key.to(device), self.classes.to(device))


class Batches:
    """The batches of one rank.

    Args:
        corpus: The encoded corpus.
        model: Shape of the model that reads the batches.
        config: Gives batch size, mask rate and seed.
        rank: This process.
        size: Number of processes.
    """

    def __init__(
        self,
        corpus: EncodedCorpus,
        model: OscarConfig,
        config: TrainingConfig,
        rank: int = 0,
        size: int = 1,
    ) -> None:
        self._corpus, self._model, self._config = corpus, model, config
        self._rank, self._size = rank, size
        self._sampler = PairSampler(corpus.groups, config.batch_size, config.seed)

    def at(self, step: int) -> PairBatch:
        """The batch of step `step` (from 0), on the CPU."""
        pairs = self._sampler.batch(step, self._rank, self._size)
        seed = step_seed(self._config.seed, MASKS, step, self._rank)
        query = mask_batch(
            [self._corpus[pair.query] for pair in pairs],
            self._model,
            self._config.mask_rate,
            [seed + place for place in range(len(pairs))],
        )
        key = collate([self._corpus[pair.key] for pair in pairs], self._model)
        classes = self._corpus.classes[[pair.query for pair in pairs]]
        return PairBatch(query, key, torch.from_numpy(classes.astype(np.int64)))
