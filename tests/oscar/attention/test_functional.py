"""Every algorithm against the float64 formula, forward and gradients."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from oscar.attention import (
    ALGORITHMS,
    FEATURE_MAPS,
    ClippedBias,
    T5Bias,
    kernelized_attention,
    make_feature_map,
    make_relative_bias,
)
from oscar.attention import dense as dense_module
from static_analysis.errors import OscarError

SHAPES = {
    "batch": st.integers(1, 3),
    "heads": st.integers(1, 3),
    "n": st.integers(1, 11),
    "d": st.integers(1, 5),
}


def tensors(batch, heads, n, d, seed, dtype=torch.float64):
    generator = torch.Generator().manual_seed(seed)
    shape = (batch, heads, n, d)
    made = [torch.randn(shape, generator=generator, dtype=dtype) / 2 for _ in range(3)]
    return [x.requires_grad_() for x in made]


def gradients(result, inputs):
    weight = torch.linspace(-1, 1, result.numel(), dtype=result.dtype).reshape(result.shape)
    return torch.autograd.grad((result * weight).sum(), inputs)


@settings(max_examples=150, deadline=None)
@given(
    **SHAPES,
    data=st.data(),
    feature_map=st.sampled_from(sorted(FEATURE_MAPS)),
    rpe=st.sampled_from(["t5", "clipped", "free", None]),
    causal=st.booleans(),
    masked=st.booleans(),
    algorithm=st.sampled_from(sorted(ALGORITHMS)),
    seed=st.integers(0, 99),
)
def test_agrees_with_the_formula(
    formula, batch, heads, n, d, data, feature_map, rpe, causal, masked, algorithm, seed
):
    q, k, v = tensors(batch, heads, n, d, seed)
    phi = make_feature_map(feature_map, d, 64, seed).double()
    bias = make_relative_bias(rpe, heads, causal)
    inputs = [q, k, v]
    if bias is not None:
        torch.nn.init.normal_(bias.double().table, generator=torch.Generator().manual_seed(seed))
        inputs.append(bias.table)
    mask = None
    if masked:
        flags = st.lists(st.booleans(), min_size=batch * n, max_size=batch * n)
        mask = torch.tensor(data.draw(flags)).reshape(batch, n)
    result = kernelized_attention(
        q, k, v, feature_map=phi, rpe=bias, mask=mask, causal=causal, algorithm=algorithm
    )
    expected = formula(phi(q, True), phi(k, False), v, bias, mask, causal)
    torch.testing.assert_close(result, expected, rtol=1e-7, atol=1e-9)
    for ours, theirs in zip(gradients(result, inputs), gradients(expected, inputs), strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_single_precision_is_close_to_double(formula, algorithm):
    q, k, v = tensors(2, 3, 70, 8, seed=5)
    phi, bias = make_feature_map("nprf", 8, 16), T5Bias(3)
    mask = torch.arange(70) < torch.tensor([[70], [41]])
    single = kernelized_attention(
        *(x.float() for x in (q, k, v)),
        feature_map=phi,
        rpe=bias,
        mask=mask,
        algorithm=algorithm,
    )
    phi.double()
    expected = formula(phi(q, True), phi(k, False), v, bias.double(), mask, False)
    torch.testing.assert_close(single, expected.float(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("elements", [1, 30, 100])
def test_tiles_change_nothing(monkeypatch, causal, elements):
    q, k, v = tensors(1, 2, 13, 3, seed=1)
    phi, bias = make_feature_map("favor+", 3, 16).double(), ClippedBias(2, 4).double()
    mask = torch.arange(13)[None] < 11

    def run():
        result = kernelized_attention(
            q, k, v, feature_map=phi, rpe=bias, mask=mask, causal=causal, algorithm="dense"
        )
        return result, gradients(result, [q, k, v, bias.table])

    whole, whole_gradients = run()
    monkeypatch.setattr("oscar.attention.dense.TILE_ELEMENTS", elements)
    tiled, tiled_gradients = run()
    torch.testing.assert_close(tiled, whole)
    torch.testing.assert_close(tiled_gradients, whole_gradients)


def test_long_sequences_keep_no_weights_for_the_backward_pass(monkeypatch):
    q, k, v = tensors(1, 2, 256, 4, seed=2, dtype=torch.float32)
    phi, bias = make_feature_map("nprf", 4, 16), T5Bias(2)
    monkeypatch.setattr("oscar.attention.dense.TILE_ELEMENTS", 1 << 12)
    kept: list[int] = []

    def note(tensor):
        kept.append(tensor.numel())
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        kernelized_attention(q, k, v, feature_map=phi, rpe=bias)
    assert max(kept) <= 2 * 256 * 16  # the features; the weights would be 2 · 256 · 256
    assert dense_module.TILE_ELEMENTS == 1 << 12


def test_padded_keys_and_their_values_change_nothing():
    q, k, v = (x.detach() for x in tensors(2, 2, 9, 4, seed=3))
    phi, bias = make_feature_map("favor+", 4, 16).double(), T5Bias(2).double()
    mask = torch.arange(9) < torch.tensor([[9], [5]])
    before = kernelized_attention(q, k, v, feature_map=phi, rpe=bias, mask=mask)
    k[1, :, 5:], v[1, :, 5:] = 30, 1e6
    after = kernelized_attention(q, k, v, feature_map=phi, rpe=bias, mask=mask)
    assert torch.equal(before, after)
    short = kernelized_attention(
        *(x[1:, :, :5] for x in (q, k, v)), feature_map=phi, rpe=bias, mask=None
    )
    torch.testing.assert_close(after[1:, :, :5], short)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("feature_map", FEATURE_MAPS)
def test_a_fully_padded_sequence_gives_zeros_and_no_gradient(algorithm, feature_map):
    q, k, v = tensors(2, 1, 4, 3, seed=4)
    mask = torch.tensor([[True] * 4, [False] * 4])
    phi = make_feature_map(feature_map, 3, 32).double()
    result = kernelized_attention(q, k, v, feature_map=phi, mask=mask, algorithm=algorithm)
    assert (result[1] == 0).all()
    for gradient in gradients(result, [q, k, v]):
        assert gradient.isfinite().all()
        assert (gradient[1] == 0).all()


def test_long_vectors_and_steep_biases_neither_overflow_nor_vanish():
    generator = torch.Generator().manual_seed(6)
    q, k, v = (torch.randn(1, 2, 20, 4, generator=generator) * 25 for _ in range(3))
    phi, bias = make_feature_map("favor+", 4, 64), ClippedBias(2, window=30)
    with torch.no_grad():
        bias.table.copy_(torch.linspace(-400, 400, 61).expand(2, -1))
    result = kernelized_attention(q, k, v, feature_map=phi, rpe=bias)
    assert result.isfinite().all()
    steep = kernelized_attention(0 * q, 0 * k, v, feature_map=phi, rpe=bias)
    torch.testing.assert_close(steep[:, :, 0], v[:, :, -1], rtol=1e-4, atol=1e-3)
    torch.testing.assert_close(steep[:, :, -1], v[:, :, -1], rtol=1e-4, atol=1e-3)


def test_any_function_can_be_the_feature_map():
    q, k, v = tensors(1, 1, 5, 2, seed=7)
    result = kernelized_attention(q, k, v, feature_map=lambda x, is_query: x.exp())
    weights = q.exp() @ k.exp().mT
    torch.testing.assert_close(result, weights @ v / weights.sum(-1, keepdim=True))


def test_half_precision_comes_back_and_is_computed_in_single():
    q, k, v = (x.detach().bfloat16() for x in tensors(1, 2, 6, 4, seed=8))
    phi = make_feature_map("nprf", 4, 16)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        result = kernelized_attention(q, k, v, feature_map=phi, rpe=T5Bias(2))
    assert result.dtype == torch.bfloat16


def test_unknown_algorithm_is_refused():
    q, k, v = tensors(1, 1, 2, 2, seed=0)
    with pytest.raises(OscarError, match="'magic': choose one of auto, dense, reference_fft"):
        kernelized_attention(q, k, v, feature_map=make_feature_map("nprf", 2, 4), algorithm="magic")
