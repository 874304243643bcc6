"""Masking whole instructions and whole environment entries for the masked language model.

OSCAR (Peng et al. 2021, section 4.2): 15 % of the instructions and a disjoint 15 % of the
environment entries are hidden, so what an instruction did can be read from its environment entry
and the other way round. Of their tokens 80 % become MASK, 10 % a random token, 10 % stay
(Devlin et al. 2019).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from oscar.batching import FunctionBatch, StreamBatch
from oscar.config import OscarConfig
from oscar.tokenizer import MASK, SPECIAL

IGNORED = -100
# A uniform draw per hidden token: below the first MASK, below the second a random token, else kept.
_MASKED, _REPLACED = 0.8, 0.9


@dataclass(frozen=True, slots=True)
class MaskedBatch:
    """A batch to read, and the tokens to guess.

    Attributes:
        batch: The functions with their hidden tokens.
        instruction_labels: Original ids (groups, T) where hidden, `IGNORED` elsewhere.
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
    batch: FunctionBatch, model: OscarConfig, rate: float, generator: torch.Generator
) -> MaskedBatch:
    """Masks a batch; a pure function of its arguments and the generator's state.

    Args:
        batch: Functions on the CPU; they are not changed.
        model: Gives group size and vocabulary sizes.
        rate: Share of instructions, and of environment entries, hidden in each function.
        generator: Source of every random choice, on the CPU.
    """
    instructions, entries = choose(batch.mask, rate, generator)
    hidden = _tokens_of(batch.rows[instructions], batch.instruction, model.group_size)
    hidden_entries = _tokens_of(batch.rows[entries], batch.environment, model.group_size)
    return MaskedBatch(
        replace(
            batch,
            instruction=_hide(batch.instruction, hidden, model.instruction_vocab_size, generator),
            environment=_hide(
                batch.environment, hidden_entries, model.environment_vocab_size, generator
            ),
        ),
        batch.instruction.tokens.masked_fill(~hidden, IGNORED),
        batch.environment.tokens.masked_fill(~hidden_entries, IGNORED),
    )


def choose(real: Tensor, rate: float, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Chooses the instructions and the environment entries to hide.

    A function of n instructions gives max(1, round(rate · n)) instructions and, among the others,
    as many environment entries, or all that are left.

    Args:
        real: True where row b has an instruction (batch, L).
        rate: Share to choose, below 0.5.
        generator: Source of the choice.

    Returns:
        Two masks (batch, L), never true together and never outside `real`.
    """
    counts = (real.sum(1, keepdim=True) * rate).round().clamp(min=1)
    scores = torch.rand(real.shape, generator=generator).masked_fill(~real, 2.0)
    ranks = scores.argsort(1).argsort(1)
    return (ranks < counts) & real, (ranks >= counts) & (ranks < 2 * counts) & real


def _tokens_of(rows: Tensor, stream: StreamBatch, group_size: int) -> Tensor:
    """True (groups, T) at the tokens of the instructions `rows`, numbered K · group + slot."""
    groups = len(stream.slots)
    chosen = torch.zeros(groups * group_size, dtype=torch.bool)
    chosen[rows] = True
    first = torch.arange(groups)[:, None] * group_size
    return chosen[first + stream.slots.clamp(min=0)] & (stream.slots >= 0)


def _hide(
    stream: StreamBatch, hidden: Tensor, vocab_size: int, generator: torch.Generator
) -> StreamBatch:
    """Replaces the tokens where `hidden` (groups, T), 80 / 10 / 10."""
    shape = stream.tokens.shape
    draw = torch.rand(shape, generator=generator)
    guesses = torch.randint(len(SPECIAL), vocab_size, shape, generator=generator)
    tokens = stream.tokens.masked_fill(hidden & (draw < _MASKED), MASK)
    guessed = hidden & (draw >= _MASKED) & (draw < _REPLACED)
    return replace(stream, tokens=torch.where(guessed, guesses, tokens))
