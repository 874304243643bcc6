"""What a model does not read of a function: cut by its config's limits, and counted."""

from dataclasses import astuple, dataclass

import numpy as np

from oscar.config import OscarConfig
from oscar.encoded import EncodedFunction, Entries


@dataclass(frozen=True, slots=True)
class Cuts:
    """What was left out.

    Attributes:
        functions: functions that lost an instruction.
        instructions: instructions beyond `max_instructions`.
        tokens: tokens beyond `max_tokens` of the instructions kept, both streams together.
    """

    functions: int = 0
    instructions: int = 0
    tokens: int = 0

    def __add__(self, other: "Cuts") -> "Cuts":
        return Cuts(*map(sum, zip(astuple(self), astuple(other), strict=True)))


def cut(function: EncodedFunction, config: OscarConfig) -> tuple[EncodedFunction, Cuts]:
    """Leave out what is beyond `max_instructions` and `max_tokens`.

    Positions stay as they are: what leads beyond the last instruction tells so by itself.
    """
    kept = min(len(function), config.max_instructions)
    lost = len(function) - kept
    instruction, instruction_tokens = _cut(function.instruction, kept, config.max_tokens)
    environment, environment_tokens = _cut(function.environment, kept, config.max_tokens)
    cuts = Cuts(int(lost > 0), lost, instruction_tokens + environment_tokens)
    return EncodedFunction(instruction, environment, function.positions[:kept]), cuts


def _cut(entries: Entries, kept: int, limit: int | None) -> tuple[Entries, int]:
    """Give the first entries, cut to the limit; count the tokens cut from them."""
    lengths = entries.lengths[:kept]
    ids = entries.ids[: lengths.sum()]
    if limit is None or not (lengths > limit).any():
        return Entries(ids, lengths), 0
    places = np.arange(len(ids)) - np.repeat(lengths.cumsum() - lengths, lengths)
    short = ids[places < limit]
    return Entries(short, lengths.clip(max=limit)), len(ids) - len(short)
