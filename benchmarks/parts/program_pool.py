"""Programs of several problems, and how well vectors bring those of one problem together."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np

from finetune.baselines.bags import Bag
from finetune.baselines.histogram import opcode_histograms
from finetune.baselines.vectors import tfidf
from finetune.baselines.words import ir_tokens
from finetune.data.programs import Program
from finetune.evaluation.retrieval import Retrieval, evaluate_retrieval
from ir_pipeline import FunctionView, open_corpus
from oscar.embedding import embed
from oscar.model import OscarModel
from static_analysis import OscarError

_NAMELESS = Program("", "", "")
"""Stands for the program where words of its IR are asked for."""


@dataclass(frozen=True)
class ProgramPool:
    """Programs as the functions of their first view.

    Attributes:
        rows: The functions, those of one program in a row.
        labels: The problem of each program.
    """

    rows: list[FunctionView]
    labels: list[str]

    @classmethod
    def of(cls, corpus: Path, programs_per_problem: int) -> ProgramPool:
        """The first programs of each problem of a corpus, in its order.

        Raises:
            OscarError: There is no corpus, or its programs have no labels or no two of one.
        """
        opened = open_corpus(corpus)
        rows: list[FunctionView] = []
        labels: list[str] = []
        seen: Counter[str] = Counter()
        for _, functions in groupby(opened.rows(opened.views[0]), key=_unit):
            program = list(functions)
            label = program[0].label
            if label is not None and seen[label] < programs_per_problem:
                seen[label] += 1
                labels.append(label)
                rows += program
        if max(seen.values(), default=0) < 2:
            raise OscarError(
                f"{corpus} has no two programs of one problem: preprocess a .jsonl with labels"
            )
        return cls(rows, labels)

    def judge(self, vectors: np.ndarray) -> Retrieval:
        """Each program as a query among all others, by the cosine of their vectors (n, dim)."""
        return evaluate_retrieval(vectors, self.labels)

    def embedded(self, model: OscarModel) -> np.ndarray:
        """Means of the unit-length embeddings of each program's functions (programs, dim)."""
        return embed(model, self.rows).by_unit()[1]

    def baselines(self) -> dict[str, Retrieval]:
        """What needs no model: opcode counts (their square roots), and TF-IDF of IR tokens."""
        bodies = [list(functions) for _, functions in groupby(self.rows, key=_unit)]
        tokens = Bag.of(ir_tokens(_NAMELESS, body) for body in bodies).table()
        return {
            "opcode histogram": self.judge(opcode_histograms(bodies)),
            "bag of IR tokens, TF-IDF": self.judge(tfidf().fit_transform(tokens)),
        }


def _unit(row: FunctionView) -> tuple[str, str]:
    return row.project, row.unit
