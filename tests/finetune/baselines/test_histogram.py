from itertools import groupby

import numpy as np
import pytest

from finetune.baselines.histogram import opcode_histograms
from ir_pipeline import FunctionView
from oscar.embedding import read_rows


def test_a_histogram_counts_the_opcodes_of_all_functions_of_a_body(corpus):
    rows = [row for row in read_rows([corpus]) if isinstance(row, FunctionView)]
    bodies = [list(body) for _, body in groupby(rows, lambda row: row.unit)]
    table = opcode_histograms(bodies).toarray()
    lengths = [sum(row.n_instructions for row in body) for body in bodies]
    assert len(lengths) == 2
    assert np.square(table).sum(axis=1) == pytest.approx(lengths)


def test_histograms_are_square_roots_of_counts_in_alphabetical_order(project):
    (row,) = (row for row in read_rows([project / "sum.c"]) if row.function == "sum")
    table = opcode_histograms([[row]]).toarray()
    opcodes = [text.split("= ")[-1].split()[0] for text in row.instructions]
    expected = [np.sqrt(opcodes.count(name)) for name in sorted(set(opcodes))]
    assert table[0] == pytest.approx(expected)
