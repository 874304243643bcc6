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
from oscar.encoded import EncodedFunction
from oscar.tokenizer import MASK, PAD, SPECIAL

IGNORED = -100
MASKINGS = ("entries", "spans")
_SPAN = 3.0
"""Mean number of instructions in a span; the lengths are geometric, as SpanBERT's."""
# A uniform draw per hidden token: below the first MASK, below the second a random token, else kept.
_MASKED, _REPLACED = 0.8, 0.9

Entries = list[list[int]]


@dataclass(frozen=True, slots=True)
class MaskedBatch:
    """A batch to read, and the tokens to guess.

    Attributes:
        batch: The functions with their hidden tokens.
        instruction_labels: In the shape of the stream's tokens, original ids where hidden,
            `IGNORED` elsewhere.
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
        functions: At least one; they are not changed.
        model: The shape of the model that is to read them.
        rate: Share of instructions, and of environment entries, hidden in each function.
        seeds: A seed for each function.
        masking: One of `MASKINGS`.
    """
    masked = [
        _mask(function, model, rate, np.random.default_rng(seed), masking)
        for function, seed in zip(functions, seeds, strict=True)
    ]
    labels = collate([wanted for _, wanted in masked], model)
    return MaskedBatch(
        collate([shown for shown, _ in masked], model),
        *(
            stream.tokens.masked_fill(stream.tokens == PAD, IGNORED)
            for stream in (labels.instruction, labels.environment)
        ),
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
) -> tuple[EncodedFunction, EncodedFunction]:
    """A function with hidden tokens, and the hidden tokens with PAD for all others."""
    chosen = choose(len(function.positions), rate, random, masking)
    shown, wanted = _hide(function.instruction, chosen[0], model.instruction_vocab_size, random)
    also_shown, also_wanted = _hide(
        function.environment, chosen[1], model.environment_vocab_size, random
    )
    return (
        EncodedFunction(shown, also_shown, function.positions),
        EncodedFunction(wanted, also_wanted, function.positions),
    )


def _hide(
    entries: Entries, hidden: NDArray[np.bool_], vocab_size: int, random: Generator
) -> tuple[Entries, Entries]:
    """Replaces the tokens of the hidden entries, 80 / 10 / 10; gives PAD for those of others."""
    shown = list(entries)
    wanted = [[PAD] * len(entry) for entry in entries]
    for place in hidden.nonzero()[0]:
        wanted[place] = entries[place]
        ids = np.array(entries[place])
        draw = random.random(len(ids))
        guesses = random.integers(len(SPECIAL), vocab_size, len(ids))
        ids = np.where(draw < _MASKED, MASK, np.where(draw < _REPLACED, guesses, ids))
        shown[place] = ids.tolist()
    return shown, wanted
