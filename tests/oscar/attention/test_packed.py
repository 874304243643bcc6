"""Packed sequences against the same sequences one by one."""

import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from oscar.attention import ClippedBias, kernelized_attention, make_feature_map, make_relative_bias
from oscar.attention.algorithms import usable_algorithms
from oscar.attention.packed import kernelized_attention_packed
from static_analysis.errors import OscarError


def one_by_one(q, k, v, lengths, **kind):
    lengths = [length for length in lengths if length]
    parts = (x.transpose(0, 1)[None].split(lengths, 2) for x in (q, k, v))
    results = [kernelized_attention(*one, **kind) for one in zip(*parts, strict=True)]
    return torch.cat(results, 2)[0].transpose(0, 1)


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr("oscar.attention.band.BLOCK", 2)
    monkeypatch.setattr("oscar.attention.band.LARGEST_BLOCK", 4)
    monkeypatch.setattr("oscar.attention.band.ROUND", 1)
    monkeypatch.setattr("oscar.attention.packed.BLOCK", 3)
    monkeypatch.setattr("oscar.attention.blocks.CACHED", 400)


@pytest.mark.usefixtures("small_blocks")
@settings(max_examples=40, deadline=None)
@given(
    lengths=st.lists(st.integers(0, 17), min_size=1, max_size=5).filter(sum),
    rpe=st.sampled_from(["clipped", "free", "alibi", None]),
    causal=st.booleans(),
    steep=st.booleans(),
    seed=st.integers(0, 9),
)
# The bias of keys ahead, which none may see, is the greatest.
@example(lengths=[17], rpe="clipped", causal=True, steep=True, seed=0)
def test_each_sequence_is_as_it_is_alone(lengths, rpe, causal, steep, seed):
    generator = torch.Generator().manual_seed(seed)
    shape = (sum(lengths), 2, 3)
    inputs = [torch.randn(shape, generator=generator, dtype=torch.float64) for _ in range(3)]
    inputs = [x.requires_grad_() for x in inputs]
    bias = ClippedBias(2, window=4) if rpe == "clipped" else make_relative_bias(rpe, 2, causal)
    parameters = [] if bias is None else list(bias.double().parameters())
    if rpe == "clipped":
        torch.nn.init.normal_(bias.table, std=40 if steep else 1, generator=generator)
    phi = make_feature_map("favor+", 3, 8).double()
    kind = {"feature_map": phi, "rpe": bias, "causal": causal}
    expected = one_by_one(*inputs, lengths, **kind)
    starts = torch.tensor([0, *lengths]).cumsum(0)
    weight = torch.randn(expected.shape, generator=generator, dtype=torch.float64)
    wanted = torch.autograd.grad((expected * weight).sum(), [*inputs, *parameters])
    for algorithm in [*usable_algorithms(bias, causal), "auto"]:
        if steep and "fft" in algorithm:  # its error is relative to the largest coefficient
            continue
        result = kernelized_attention_packed(*inputs, starts, algorithm=algorithm, **kind)
        torch.testing.assert_close(result, expected, rtol=1e-7, atol=1e-9)
        given_back = torch.autograd.grad((result * weight).sum(), [*inputs, *parameters])
        torch.testing.assert_close(given_back, wanted, rtol=1e-7, atol=1e-8)


def test_rows_that_no_sequence_holds_are_refused():
    x = torch.zeros(12, 2, 3)
    with pytest.raises(OscarError, match="cu_seqlens does not divide 12 rows"):
        kernelized_attention_packed(x, x, x, torch.tensor([0, 5]), feature_map="nprf")
