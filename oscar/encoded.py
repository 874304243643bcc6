"""One function as numbers: token ids of both streams and positions, not yet cut or batched."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from static_analysis.errors import OscarError

Ids = NDArray[np.int32]
Positions = tuple[int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """Token ids of the entries of one stream, flat.

    Attributes:
        ids: (tokens,) int32, entry after entry.
        lengths: (entries,) int32, tokens of each entry.
    """

    ids: Ids
    lengths: Ids

    @classmethod
    def of(cls, entries: Sequence[Sequence[int]]) -> "Entries":
        """Build from a list of ids for each entry."""
        lengths = np.array([len(entry) for entry in entries], np.int32)
        return cls(np.fromiter(chain.from_iterable(entries), np.int32, lengths.sum()), lengths)

    def lists(self) -> list[list[int]]:
        """Give a list of ids for each entry."""
        stops = self.lengths.cumsum()
        return [part.tolist() for part in np.split(self.ids, stops[:-1])] if len(stops) else []

    def __len__(self) -> int:
        return len(self.lengths)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Entries)
            and np.array_equal(self.lengths, other.lengths)
            and np.array_equal(self.ids, other.ids)
        )


@dataclass(frozen=True, slots=True, eq=False)
class EncodedFunction:
    """What the model reads of a function of n instructions.

    Attributes:
        instruction: token ids of each instruction.
        environment: token ids of each environment entry.
        positions: (n, 3) int32, own, true-target and false-target position of each instruction;
            leaving the function has the negative codes of `static_analysis.flow.positions`.
    """

    instruction: Entries
    environment: Entries
    positions: Ids

    @classmethod
    def of(
        cls,
        instruction: Sequence[Sequence[int]],
        environment: Sequence[Sequence[int]],
        positions: Iterable[Positions],
    ) -> "EncodedFunction":
        """Build from lists with one element an instruction."""
        triples = np.array(list(positions), np.int32).reshape(-1, 3)
        return cls(Entries.of(instruction), Entries.of(environment), triples)

    @property
    def size(self) -> int:
        """Tokens of both streams together: what encoding the function costs."""
        return len(self.instruction.ids) + len(self.environment.ids)

    def __len__(self) -> int:
        return len(self.positions)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, EncodedFunction)
            and self.instruction == other.instruction
            and self.environment == other.environment
            and np.array_equal(self.positions, other.positions)
        )


def streams(function: Any) -> tuple[list[list[str]], list[list[str]], list[Positions]]:
    """Give tokens, environment and positions of a function, however it is held.

    Args:
        function: a corpus row as a mapping, an `ir_pipeline.FunctionView`, or a
            `static_analysis.AnalysedFunction`.

    Raises:
        OscarError: the streams are not of one length.
    """
    if isinstance(function, Mapping):
        tokens, environment = function["tokens"], function["environment"]
        columns = [function[f"{kind}_positions"] for kind in ("own", "true", "false")]
    else:
        tokens, environment = function.tokens, function.environment
        if hasattr(function, "positions"):
            columns = list(zip(*function.positions, strict=True)) or [(), (), ()]
        else:
            columns = [function.own_positions, function.true_positions, function.false_positions]
    lengths = {len(tokens), len(environment), *(len(column) for column in columns)}
    if len(lengths) > 1:
        raise OscarError(
            f"the streams of a function have different lengths {sorted(lengths)}: "
            "build its corpus again"
        )
    return tokens, environment, list(zip(*columns, strict=True))
