"""Opcode histograms, the plainest representation that a model has to beat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scipy.sparse import csr_matrix

from finetune.baselines.bags import Bag
from finetune.baselines.words import opcode_words
from ir_pipeline import FunctionView


def opcode_histograms(bodies: Iterable[Sequence[FunctionView]]) -> csr_matrix:
    """Square roots of how often each opcode occurs (bodies, opcodes).

    The square root keeps the frequent opcodes (load, store) from drowning the others; it is
    the strongest of the plain histograms on POJ-104.

    Args:
        bodies: the functions that are counted together, such as those of one program.
    """
    return Bag.of(map(opcode_words, bodies)).table().sqrt()
