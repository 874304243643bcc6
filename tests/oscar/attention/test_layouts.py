"""CLS entries and grids by every algorithm, against the formula with the whole matrix of biases."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from oscar.attention import AlibiBias, ClippedBias, FreeBias
from oscar.attention.algorithms import usable_algorithms
from oscar.attention.cls import ClsBias
from oscar.attention.grid import GridBias
from oscar.attention.layouts import relative_attention

HEADS, HEIGHT, WIDTH = 2, 3, 4
INNER = {
    "none": lambda: None,
    "clipped": lambda: ClippedBias(HEADS, window=3),
    "free": lambda: FreeBias(HEADS, max_length=20),
    "alibi": lambda: AlibiBias(HEADS),
    "grid": lambda: GridBias(HEADS, HEIGHT, WIDTH),
}


def features(n, seed):
    """φ(q), φ(k) and values: positive features and any values."""
    generator = torch.Generator().manual_seed(seed)
    shape = (2, HEADS, n, 5)
    query, key, value = torch.randn(3, *shape, generator=generator, dtype=torch.float64)
    return [x.requires_grad_() for x in (query.exp(), key.exp(), value)]


def check(formula, rpe, n, mask, causal, algorithm, seed):
    query, key, value = features(n, seed)
    rpe = rpe.double()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():  # steep rates would leave a Fourier transform no digits
        for parameter in rpe.parameters():
            parameter += torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
    real = key if mask is None else key * mask[:, None, :, None]
    inputs = [query, key, value, *rpe.parameters()]
    result = relative_attention(query, real, value, rpe, causal, algorithm).result
    if mask is not None:  # by Fourier transform, nothing over nothing is noise
        sees = mask.cumsum(1) > 0 if causal else mask.any(1, keepdim=True)
        result = result.masked_fill(~sees[:, None, :, None], 0)
    expected = formula(query, key, value, rpe, mask, causal)
    torch.testing.assert_close(result, expected, rtol=1e-7, atol=1e-9)
    weight = torch.linspace(-1, 1, result.numel(), dtype=torch.float64).reshape(result.shape)
    ours, theirs = (
        torch.autograd.grad((x * weight).sum(), inputs, materialize_grads=True)
        for x in (result, expected)
    )
    torch.testing.assert_close(ours, theirs, rtol=1e-6, atol=1e-8)


@settings(max_examples=80, deadline=None)
@given(
    data=st.data(),
    inner=st.sampled_from(sorted(INNER)),
    n=st.integers(1, 12),
    masked=st.booleans(),
    causal=st.booleans(),
    seed=st.integers(0, 99),
)
def test_a_cls_entry_agrees_with_the_formula(formula, data, inner, n, masked, causal, seed):
    rpe = ClsBias(HEADS, INNER[inner]())
    algorithm = data.draw(st.sampled_from(["auto", *usable_algorithms(rpe.inner, causal)]))
    n = 1 + HEIGHT * WIDTH if inner == "grid" else n
    flags = st.lists(st.booleans(), min_size=2 * n, max_size=2 * n)
    mask = torch.tensor(data.draw(flags)).reshape(2, n) if masked else None
    check(formula, rpe, n, mask, causal, algorithm, seed)


@settings(max_examples=60, deadline=None)
@given(
    data=st.data(),
    height=st.integers(1, 4),
    width=st.integers(1, 5),
    masked=st.booleans(),
    causal=st.booleans(),
    algorithm=st.sampled_from(["auto", *usable_algorithms(GridBias(1, 1, 1), False)]),
    seed=st.integers(0, 99),
)
def test_a_grid_agrees_with_the_formula(
    formula, data, height, width, masked, causal, algorithm, seed
):
    n = height * width
    flags = st.lists(st.booleans(), min_size=2 * n, max_size=2 * n)
    mask = torch.tensor(data.draw(flags)).reshape(2, n) if masked else None
    check(formula, GridBias(HEADS, height, width), n, mask, causal, algorithm, seed)


@pytest.mark.parametrize("steep", [-300.0, 300.0])
def test_steep_biases_of_cls_neither_overflow_nor_vanish(steep):
    query, key, value = (x.detach().float() for x in features(6, seed=0))
    rpe = ClsBias(HEADS, ClippedBias(HEADS, window=2))
    with torch.no_grad():
        rpe.to_cls.fill_(steep)
        rpe.from_cls.fill_(-steep)
    result = relative_attention(query, key, value, rpe, False, "auto").result
    assert result.isfinite().all()
    if steep > 0:
        torch.testing.assert_close(result, value[:, :, :1].expand_as(value))
