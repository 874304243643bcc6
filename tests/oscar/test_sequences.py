import numpy as np
import pytest
import torch

from oscar.sequences import FunctionSequences

LENGTHS = np.array([2, 1])
CLS = [["CLS_i0", "CLS_s0"], ["CLS_i1", "CLS_s1"]]
ENTRIES = [["i0", "e0"], ["i1", "e1"], ["i2", "e2"]]


def names(streams, joint):
    """Names of the rows, by sequence."""
    cls, entries = ([row[:streams] for row in rows] for rows in (CLS, ENTRIES))
    flat = [name for row in cls + entries for name in row]
    sequences = FunctionSequences.of(LENGTHS, streams, joint)
    numbers = torch.arange(len(flat)).reshape(-1, streams)
    arranged = sequences.arrange(numbers[:2], numbers[2:])
    return [flat[i] for i in arranged], sequences


@pytest.mark.parametrize(
    ("streams", "joint", "expected"),
    [
        (2, True, "CLS_i0 CLS_s0 i0 e0 i1 e1 | CLS_i1 CLS_s1 i2 e2"),
        (2, False, "CLS_i0 i0 i1 | CLS_s0 e0 e1 | CLS_i1 i2 | CLS_s1 e2"),
        (1, True, "CLS_i0 i0 i1 | CLS_i1 i2"),
    ],
)
def test_orders_worked_by_hand(streams, joint, expected):
    order, sequences = names(streams, joint)
    parts = [part.split() for part in expected.split("|")]
    assert order == [name for part in parts for name in part]
    widths = sorted(len(part) for part in parts)
    assert sum(b.count for b in sequences.packing.buckets) == len(parts)
    assert max(b.width for b in sequences.packing.buckets) == widths[-1]


@pytest.mark.parametrize("joint", [True, False])
@pytest.mark.parametrize("streams", [1, 2])
def test_separating_undoes_arranging(streams, joint):
    lengths = np.array([4, 1, 7, 2])
    sequences = FunctionSequences.of(lengths, streams, joint)
    cls, entries = torch.randn(4, streams, 3), torch.randn(14, streams, 3)
    again = sequences.separate(sequences.arrange(cls, entries), 4, streams)
    assert torch.equal(again[0], cls)
    assert torch.equal(again[1], entries)
