"""When two views of one function are too alike to learn anything from the pair."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

# Names that an analysis handed out: values, blocks, memory states.
_NAME = re.compile(r"([vlm])\d+")


def instruction_bag(tokens: Sequence[Sequence[str]]) -> str:
    """A hash of a function's instructions without their order and the names of local values.

    Two views with the same bag do the same operations on the same types, constants and symbols;
    at most their blocks and independent instructions are in another order. A structural hash, one
    pass over the tokens: no threshold to choose, no pair to compare.

    Args:
        tokens: of each instruction.
    """
    shapes = sorted(" ".join(map(_without_number, instruction)) for instruction in tokens)
    return hashlib.sha256("\n".join(shapes).encode()).hexdigest()


def _without_number(token: str) -> str:
    name = _NAME.fullmatch(token)
    return name[1] if name else token
