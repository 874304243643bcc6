import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from oscar.attention import ClippedBias
from oscar.attention.cls import ClsBias


@settings(deadline=None)
@given(n=st.integers(1, 6), with_inner=st.booleans())
def test_the_first_row_and_column_have_biases_of_their_own(n, with_inner):
    inner = ClippedBias(2, window=3) if with_inner else None
    rpe = ClsBias(2, inner)
    matrix = rpe.matrix(n)
    assert torch.equal(matrix[:, 0, 0], rpe.own)
    assert torch.equal(matrix[:, 0, 1:], rpe.from_cls[:, None].expand(2, n - 1))
    assert torch.equal(matrix[:, 1:, 0], rpe.to_cls[:, None].expand(2, n - 1))
    among = inner.matrix(n - 1) if inner is not None and n > 1 else torch.zeros(2, n - 1, n - 1)
    assert torch.equal(matrix[:, 1:, 1:], among)


def test_its_own_biases_and_those_within_are_learned():
    rpe = ClsBias(3, ClippedBias(3, window=2))
    rpe.matrix(4).sum().backward()
    assert all((parameter.grad > 0).all() for parameter in rpe.parameters())


def test_offsets_are_those_within():
    inner = ClippedBias(2, window=3)
    offsets = torch.arange(-5, 6)
    assert torch.equal(ClsBias(2, inner).bias(offsets), inner.bias(offsets))
    assert torch.equal(ClsBias(2).bias(offsets), torch.zeros(2, 11))
