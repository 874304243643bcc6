"""Masking whole instructions and whole environment entries for the masked language model.

OSCAR (Peng et al. 2021, section 4.2): 15 % of the instructions and a disjoint 15 % of the
environment entries are hidden, so what an instruction did can be read from its environment entry
and the other way round. Of their tokens 80 % become MASK, 10 % a random token, 10 % stay
(Devlin et al. 2019). Hidden one by one, many can be told from their neighbours; hidden in spans of
consecutive ones (Joshi et al., "SpanBERT", 2020), they have to be told from farther away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor

from oscar.batching import FunctionBatch, collate
from oscar.config import OscarConfig
from oscar.encoded import EncodedFunction, Entries, Ids
from oscar.tokenizer import MASK, SPECIAL

IGNORED = -100
_SPAN = 3.0
"""Mean number of instructions in a span; the lengths are geometric, as SpanBERT's."""
# A uniform draw per hidden token: below the first MASK, below the second a random token, else kept.
_MASKED, _REPLACED = 0.8, 0.9


@dataclass(frozen=True, slots=True)
class MaskedBatch:
    """A batch to read, and the tokens to guess.

    Attributes:
        batch: The functions with their hidden tokens.
        instruction_labels: (t,) for all tokens of the functions in their natural order, original
            ids where hidden, `IGNORED` elsewhere.
        environment_labels: The same for the environment stream.
    """

    batch: FunctionBatch
    instruction_labels: Tensor
    environment_labels: Tensor

    def to(self, device: torch.device) -> MaskedBatch:
        """Copy to a device."""
        return MaskedBatch(
            self.batch.to(device),
            self.instruction_labels.to(device),
            self.environment_labels.to(device),
        )


def mask_batch(
    functions: Sequence[EncodedFunction],
    model: OscarConfig,
    rate: float,
    seeds: Sequence[int],
    masking: str = "entries",
) -> MaskedBatch:
    """Masks functions and batches them.

    What is hidden of a function depends on its own seed alone, not on its batch-mates.

    Args:
        functions: At least one, cut to the model's limits (`oscar.limits.cut`); they are not
            changed.
        model: The shape of the model that is to read them.
        rate: Share of instructions, and of environment entries, hidden in each function.
        seeds: A seed for each function.
        masking: "entries" or "spans", as in `choose`.
    """
    masked = [
        _mask(function, model, rate, np.random.default_rng(seed), masking)
        for function, seed in zip(functions, seeds, strict=True)
    ]
    return MaskedBatch(
        collate([shown for shown, _ in masked], model),
        *(_joined([labels[stream] for _, labels in masked]) for stream in range(2)),
    )


def choose(
    length: int, rate: float, random: Generator, masking: str
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Chooses the instructions and the environment entries of a function to hide.

    Of n instructions it takes max(1, round(rate · n)) and, among the others, as many environment
    entries, or all that are left.

    Args:
        length: n, at least 1.
        rate: Share to choose, below 0.5.
        random: Source of the choice.
        masking: "entries" chooses them one by one, "spans" several in a row.

    Returns:
        Two masks (n,), never true together.
    """
    count = max(1, round(rate * length))
    scores = random.random(length)
    if masking == "spans":
        begins = random.random(length) < 1 / _SPAN
        scores = scores[begins.cumsum() - 1]
    ranks = np.empty(length, np.int64)
    # Stable, so that the instructions of a span, which share its score, stay in order.
    ranks[scores.argsort(kind="stable")] = np.arange(length)
    # A function is a ring for spans, or its first instructions would be hidden more often.
    ranks = np.roll(ranks, random.integers(length))
    return ranks < count, (ranks >= count) & (ranks < 2 * count)


def _mask(
    function: EncodedFunction, model: OscarConfig, rate: float, random: Generator, masking: str
) -> tuple[EncodedFunction, list[Ids]]:
    """A function with hidden tokens, and the labels (t,) of each stream's tokens."""
    chosen = choose(len(function), rate, random, masking)
    streams = (function.instruction, function.environment)
    sizes = (model.instruction_vocab_size, model.environment_vocab_size)
    hidden = [
        _hide(entries, places & (stream in model.reads), size, random)
        for stream, (entries, places, size) in enumerate(zip(streams, chosen, sizes, strict=True))
    ]
    (instruction, labels), (environment, more_labels) = hidden
    return EncodedFunction(instruction, environment, function.positions), [labels, more_labels]


def _hide(
    entries: Entries, hidden: NDArray[np.bool_], vocab_size: int, random: Generator
) -> tuple[Entries, Ids]:
    """Replaces the tokens of the hidden entries, 80 / 10 / 10; gives the labels of all tokens."""
    tokens = np.repeat(hidden, entries.lengths)
    labels = np.where(tokens, entries.ids, IGNORED)
    draw = random.random(tokens.sum())
    guesses = random.integers(len(SPECIAL), vocab_size, len(draw))
    shown = entries.ids.copy()
    shown[tokens] = np.where(
        draw < _MASKED, MASK, np.where(draw < _REPLACED, guesses, shown[tokens])
    )
    return Entries(shown, entries.lengths), labels


def _joined(labels: Sequence[Ids]) -> Tensor:
    return torch.from_numpy(np.concatenate(labels).astype(np.int64))
