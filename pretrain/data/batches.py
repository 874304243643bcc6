"""What a rank reads in a step, made from nothing but the seed and the step's number."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import Dataset

from oscar.batching import BatchStats, FunctionBatch, collate
from oscar.config import OscarConfig
from pretrain.config import TrainingConfig
from pretrain.data.classes import held_out
from pretrain.data.encoded_corpus import EncodedCorpus
from pretrain.data.masking import IGNORED, MaskedBatch, mask_batch
from pretrain.data.micro import micro_batches
from pretrain.data.sampling import Pair, PairSampler

# What a seed is for, so that masks and dropout of a step are drawn apart.
MASKS, DROPOUT = 1, 2


def derived_seed(seed: int, purpose: int, *numbers: int) -> int:
    """A seed of its own for each purpose and numbers."""
    state = np.random.SeedSequence([seed, purpose, *numbers]).generate_state(1, np.uint64)
    return int(state[0])


@dataclass(frozen=True, slots=True)
class PairBatch:
    """Two views of each of B functions: a micro-batch.

    Attributes:
        query: The masked views, which are trained on.
        key: The other views, read whole as an embedding would be.
        classes: Class of each function (B,): those of one class are no negatives to each other.
        places: Place of each function in its step (B,), ascending, 0 to `batch_size` - 1.
        totals: Float (3,): hidden instruction tokens, hidden environment tokens and functions; of
            this micro-batch at first, of the whole step on all ranks once the trainer knows them.
    """

    query: MaskedBatch
    key: FunctionBatch
    classes: Tensor
    places: Tensor
    totals: Tensor

    def to(self, device: torch.device) -> PairBatch:
        """Copy to a device."""
        tensors = (self.classes, self.places, self.totals)
        return PairBatch(
            self.query.to(device), self.key.to(device), *(part.to(device) for part in tensors)
        )

    def within(self, totals: Tensor) -> PairBatch:
        """The same in a step of these totals."""
        return replace(self, totals=totals)


@dataclass(frozen=True, slots=True)
class Step:
    """A rank's part of a step.

    Attributes:
        number: Of the step, from 0.
        parts: The rank's micro-batches, as many as every other rank has.
        classes: Class of every function of the step (batch_size,), over all ranks.
        rows: For each micro-batch the rows of the encoded corpus it holds, as (query, key).
    """

    number: int
    parts: list[PairBatch]
    classes: Tensor
    rows: list[list[tuple[int, int]]]

    @property
    def counts(self) -> dict[str, int]:
        """What this rank reads: functions, and `BatchStats` of both their views."""
        views = [view for part in self.parts for view in (part.query.batch, part.key)]
        stats = sum((view.stats for view in views), BatchStats())
        return {"functions": sum(len(part.places) for part in self.parts), **asdict(stats)}


class Batches(Dataset[Step]):
    """The steps of one rank.

    The step as a whole, its functions, views and masks, is the same however many ranks share it
    and however it is cut into micro-batches.

    Args:
        corpus: The encoded corpus.
        model: Shape of the model that reads the batches.
        config: Gives step size, token budget, masking, seed and what is held out.
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
        config.check_processes(size)
        dealt = ~held_out(corpus.classes, config.validation_share, config.seed)
        self._sampler = PairSampler(corpus.groups, dealt, config.batch_size, config.seed)

    def __getitem__(self, number: int) -> Step:
        """Step `number` (from 0), on the CPU."""
        corpus, config = self._corpus, self._config
        pairs = self._sampler.step(number)
        sizes = [max(int(corpus.sizes[p.query]), int(corpus.sizes[p.key])) for p in pairs]
        parts = micro_batches(sizes, config.token_budget, self._size)[self._rank]
        classes = torch.from_numpy(corpus.classes[[pair.query for pair in pairs]].astype(np.int64))
        return Step(
            number,
            [self._part(number, pairs, places, classes) for places in parts],
            classes,
            [[(pairs[place].query, pairs[place].key) for place in places] for places in parts],
        )

    def __reduce__(self) -> tuple[type[Batches], tuple[Any, ...]]:
        """Another process makes its own order of the rows: quicker than sending it."""
        made_from = (self._corpus, self._model, self._config, self._rank, self._size)
        return Batches, made_from

    def _part(
        self, number: int, pairs: list[Pair], places: list[int], classes: Tensor
    ) -> PairBatch:
        config = self._config
        first = number * config.batch_size
        query = mask_batch(
            [self._corpus[pairs[place].query] for place in places],
            self._model,
            config.mask_rate,
            [derived_seed(config.seed, MASKS, first + place) for place in places],
            config.masking,
        )
        key = collate([self._corpus[pairs[place].key] for place in places], self._model)
        labels = (query.instruction_labels, query.environment_labels)
        hidden = [int((part != IGNORED).sum()) for part in labels]
        return PairBatch(
            query,
            key,
            classes[places],
            torch.tensor(places),
            torch.tensor([*hidden, len(places)], dtype=torch.float32),
        )
