"""Opcode histograms, the plainest representation that a model has to beat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scipy.sparse import csr_matrix
from sklearn.pipeline import make_pipeline

from finetune.baselines.vectors import counter, square_roots
from finetune.baselines.words import opcode_words
from ir_pipeline import FunctionView


def opcode_histograms(bodies: Iterable[Sequence[FunctionView]]) -> csr_matrix:
    """Square roots of how often each opcode occurs (bodies, opcodes).

    The square root keeps the frequent opcodes (load, store) from drowning the others; it is
    the strongest of the plain histograms on POJ-104.

    Args:
        bodies: the functions that are counted together, such as those of one program.
    """
    words = [list(opcode_words(functions)) for functions in bodies]
    table: csr_matrix = make_pipeline(counter(), square_roots()).fit_transform(words)
    return table
