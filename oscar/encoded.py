"""One function as numbers: token ids of both streams and positions, not yet cut or padded."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from static_analysis.errors import OscarError

Positions = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class EncodedFunction:
    """What the model reads of a function; the three lists have one entry an instruction.

    Attributes:
        instruction: token ids of each instruction.
        environment: token ids of each environment entry.
        positions: own, true-target and false-target position of each instruction; leaving the
            function has the negative codes of `static_analysis.flow.positions`.
    """

    instruction: list[list[int]]
    environment: list[list[int]]
    positions: list[Positions]


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
