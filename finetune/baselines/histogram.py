"""Representations with nothing learned, which a model has to beat to be worth its cost."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable

import numpy as np

from ir_pipeline import FunctionView
from oscar.embedding import Unit
from static_analysis import opcode


def unit_of(row: FunctionView) -> Unit:
    """The unit a function belongs to."""
    return row.project, row.unit


def opcode_histograms(
    rows: Iterable[FunctionView], key: Callable[[FunctionView], Hashable] = unit_of
) -> tuple[list[Hashable], np.ndarray]:
    """Square roots of how often each opcode occurs in all functions of one key.

    The square root keeps the frequent opcodes (load, store) from drowning the others; it is
    the strongest of the plain histograms on POJ-104.

    Returns:
        The keys in order of first appearance, and their histograms (keys, opcodes).
    """
    counts: dict[Hashable, Counter[str]] = {}
    for row in rows:
        counts.setdefault(key(row), Counter()).update(map(opcode, row.tokens))
    opcodes = sorted(set().union(*counts.values()))
    table = np.array([[count[name] for name in opcodes] for count in counts.values()], float)
    return list(counts), np.sqrt(table)
