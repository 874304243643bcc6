"""Representations with nothing learned, which a model has to beat to be worth its cost."""

from collections import Counter
from collections.abc import Iterable

import numpy as np

from ir_pipeline import FunctionView
from oscar.embedding import Unit
from static_analysis import opcode


def opcode_histograms(rows: Iterable[FunctionView]) -> tuple[list[Unit], np.ndarray]:
    """Square roots of how often each opcode occurs in each unit.

    The square root keeps the frequent opcodes (load, store) from drowning the others; it is
    the strongest of the plain histograms on POJ-104.

    Returns:
        The units in order of first appearance, and their histograms (units, opcodes).
    """
    counts: dict[Unit, Counter[str]] = {}
    for row in rows:
        counts.setdefault((row.project, row.unit), Counter()).update(map(opcode, row.tokens))
    opcodes = sorted(set().union(*counts.values()))
    table = np.array([[count[name] for name in opcodes] for count in counts.values()], float)
    return list(counts), np.sqrt(table)
