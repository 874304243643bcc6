"""Every algorithm against the float64 formula, forward and gradients."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from oscar.attention import (
    ALGORITHMS,
    FEATURE_MAPS,
    RELATIVE_BIASES,
    ClippedBias,
    T5Bias,
    kernelized_attention,
    make_feature_map,
    make_relative_bias,
)
from oscar.attention.algorithms import usable_algorithms
from static_analysis.errors import OscarError

SHAPES = {"batch": st.integers(1, 3), "heads": st.integers(1, 3), "d": st.integers(1, 5)}
KINDS = {
    "rpe": st.sampled_from(list(RELATIVE_BIASES)),
    "causal": st.booleans(),
    "masked": st.booleans(),
    "seed": st.integers(0, 99),
}
GENERAL = [name for name in ALGORITHMS if name not in ("scan", "linear")]
LENGTHS = [1, 2, 63, 64, 97, 127, 193, 257, 511]  # a block, more and less, primes


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of a few tokens and chunks of a few blocks, so that short sequences have many."""
    monkeypatch.setattr("oscar.attention.band.BLOCK", 2)
    monkeypatch.setattr("oscar.attention.band.LARGEST_BLOCK", 4)
    monkeypatch.setattr("oscar.attention.band.ROUND", 1)
    monkeypatch.setattr("oscar.attention.dense.WHOLE", 2)
    monkeypatch.setattr("oscar.attention.dense.BLOCK", 3)
    monkeypatch.setattr("oscar.attention.scan.BLOCK", 3)
    monkeypatch.setattr("oscar.attention.blocks.CACHED", 400)


def tensors(batch, heads, n, d, seed, dtype=torch.float64):
    generator = torch.Generator().manual_seed(seed)
    shape = (batch, heads, n, d)
    made = [torch.randn(shape, generator=generator, dtype=dtype) / 2 for _ in range(3)]
    return [x.requires_grad_() for x in made]


def gradients(result, inputs, of_queries=1.0):
    weight = torch.linspace(-1, 1, result.numel()).to(result.dtype).reshape(result.shape)
    weight = weight * of_queries
    return torch.autograd.grad((result * weight).sum(), inputs)


def random_bias(name, heads, causal, seed, scale=1.0):
    """An encoding with a short reach and random entries, and its parameters."""
    name = ClippedBias(heads, window=4) if name == "clipped" else name
    name = T5Bias(heads, causal, buckets=8, max_distance=6) if name == "t5" else name
    bias = make_relative_bias(name, heads, causal)
    parameters = list(bias.double().parameters()) if bias is not None else []
    for parameter in parameters:
        generator = torch.Generator().manual_seed(seed)
        torch.nn.init.normal_(parameter, std=scale, generator=generator)
    return bias, parameters


def random_mask(batch, n, seed):
    return torch.rand(batch, n, generator=torch.Generator().manual_seed(seed)) < 0.7


def relative_error(ours, theirs):
    ours, theirs = ours.detach(), theirs.detach()
    return float((ours - theirs).norm() / theirs.norm().clamp(min=1e-3))


def check_against_formula(formula, n, batch, heads, d, feature_map, rpe, causal, masked, seed):
    q, k, v = tensors(batch, heads, n, d, seed)
    phi = make_feature_map(feature_map, d, 64, seed).double()
    bias, parameters = random_bias(rpe, heads, causal, seed)
    mask = random_mask(batch, n, seed) if masked else None
    inputs = [q, k, v, *parameters]
    expected = formula(phi(q, True), phi(k, False), v, bias, mask, causal)
    # What a padded query gets from far keys is lost in the rounding of a transform.
    real = torch.ones(1) if mask is None else mask[:, None, :, None]
    expected_gradients = gradients(expected, inputs, real)
    for algorithm in [*usable_algorithms(bias, causal), "auto"]:
        result = kernelized_attention(
            q, k, v, feature_map=phi, rpe=bias, mask=mask, causal=causal, algorithm=algorithm
        )
        torch.testing.assert_close(result * real, expected * real, rtol=1e-7, atol=1e-9)
        for ours, theirs in zip(gradients(result, inputs, real), expected_gradients, strict=True):
            torch.testing.assert_close(ours, theirs, rtol=1e-7, atol=1e-8)


@pytest.mark.usefixtures("small_blocks")
@settings(max_examples=60, deadline=None)
@given(**SHAPES, **KINDS, n=st.integers(1, 25), feature_map=st.sampled_from(sorted(FEATURE_MAPS)))
def test_agrees_with_the_formula_in_small_blocks(formula, **case):
    check_against_formula(formula, **case)


@settings(max_examples=15, deadline=None)
@given(**KINDS, n=st.sampled_from(LENGTHS))
def test_agrees_with_the_formula(formula, **case):
    check_against_formula(formula, batch=2, heads=2, d=3, feature_map="favor+", **case)


@pytest.mark.slow
@pytest.mark.parametrize("n", [1021, 1024, 2048, 4097])
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("rpe", ["t5", "clipped", "alibi", "kerple", None])
def test_agrees_with_the_formula_at_length(formula, n, causal, rpe):
    check_against_formula(formula, n, 1, 1, 4, "nprf", rpe, causal, True, seed=n)


@pytest.mark.parametrize("rpe", RELATIVE_BIASES)
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("n", [70, 300])
def test_single_precision_is_within_1e_5(formula, rpe, causal, n):
    heads, d = 3, 8
    doubles = tensors(2, heads, n, d, seed=5)
    mask = torch.arange(n) < torch.tensor([[n], [n // 2]])
    phi = make_feature_map("nprf", d, 16).double()
    bias, parameters = random_bias(rpe, heads, causal, seed=1)
    expected = formula(
        phi(doubles[0], True), phi(doubles[1], False), doubles[2], bias, mask, causal
    )
    real = mask[:, None, :, None]
    expected_gradients = gradients(expected, [*doubles, *parameters], real)
    singles = [x.detach().float().requires_grad_() for x in doubles]
    phi.float()
    if bias is not None:
        bias.float()
    for algorithm in set(usable_algorithms(bias, causal)) - {"reference_fft"}:
        result = kernelized_attention(
            *singles, feature_map=phi, rpe=bias, mask=mask, causal=causal, algorithm=algorithm
        )
        ours = [result * real, *gradients(result, [*singles, *parameters], real)]
        errors = [
            relative_error(a.double(), b)
            for a, b in zip(ours, [expected * real, *expected_gradients], strict=True)
        ]
        assert max(errors) <= 1e-5, (algorithm, errors)


@pytest.mark.slow
@pytest.mark.parametrize("rpe", ["t5", "alibi", None])
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize(("dtype", "bound"), [(torch.float32, 2e-5), (torch.float64, 1e-9)])
def test_algorithms_agree_on_very_long_sequences(rpe, causal, dtype, bound):
    q, k, v = tensors(1, 1, 9001, 8, seed=9, dtype=dtype)
    phi = make_feature_map("nprf", 8, 8).to(dtype)
    bias = make_relative_bias(rpe, 1, causal)
    bias = bias if bias is None else bias.to(dtype)
    inputs = [q, k, v, *([] if bias is None else bias.parameters())]
    # Under weights that rise evenly the gradients of keys that all queries see alike cancel, down
    # to two digits of single precision; under weights of random sign they do not.
    signs = torch.randn(9001, 1, generator=torch.Generator().manual_seed(1), dtype=dtype)
    of_queries = signs if dtype == torch.float32 else 1.0
    results = []
    for algorithm in usable_algorithms(bias, causal):
        if algorithm != "reference_fft":
            result = kernelized_attention(
                q, k, v, feature_map=phi, rpe=bias, causal=causal, algorithm=algorithm
            )
            results.append([result, *gradients(result, inputs, of_queries)])
    for other in results[1:]:
        for ours, theirs in zip(results[0], other, strict=True):
            assert relative_error(ours, theirs) <= bound


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("scale", [1.0, 40.0])
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("algorithm", ["dense", "band", "fft"])
def test_gradients_by_differences(algorithm, causal, scale):
    if algorithm == "fft" and scale > 1:
        pytest.skip("a transform's error is relative to the largest coefficient")
    q, k, v = tensors(2, 1, 9, 2, seed=3)
    phi = make_feature_map("nprf", 2, 4).double()
    bias, (table,) = random_bias("clipped", 1, causal, seed=3, scale=scale)
    mask = torch.arange(9) < torch.tensor([[9], [7]])

    def attend(q, k, v, table):
        return kernelized_attention(
            q, k, v, feature_map=phi, rpe=bias, mask=mask, causal=causal, algorithm=algorithm
        )

    assert torch.autograd.gradcheck(attend, (q, k, v, table), fast_mode=True)


@pytest.mark.usefixtures("small_blocks")
@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(1, 25), causal=st.booleans(), scale=st.sampled_from([8, 30, 100]), data=st.data()
)
def test_steep_biases_lose_nothing_in_single_precision(formula, n, causal, scale, data):
    rpe, seed = data.draw(st.sampled_from(["t5", "clipped"])), data.draw(st.integers(0, 99))
    q, k, v = (x.detach() for x in tensors(1, 2, n, 3, seed))
    phi = make_feature_map("nprf", 3, 8).double()
    bias, _ = random_bias(rpe, 2, causal, seed, scale)
    expected = formula(phi(q, True), phi(k, False), v, bias, None, causal)
    q, k, v = q.float(), k.float(), v.float()
    phi.float(), bias.float()
    for algorithm in ("dense", "band"):
        result = kernelized_attention(
            q, k, v, feature_map=phi, rpe=bias, causal=causal, algorithm=algorithm
        )
        # A bias of 1000 is itself rounded by 6e-5 in single precision.
        torch.testing.assert_close(result, expected.float(), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("algorithm", ["dense", "band"])
def test_long_sequences_keep_no_weights_for_the_backward_pass(algorithm):
    q, k, v = tensors(1, 2, 600, 4, seed=2, dtype=torch.float32)
    phi, bias = make_feature_map("nprf", 4, 16), T5Bias(2)
    kept: list[int] = []

    def note(tensor):
        kept.append(tensor.numel())
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        kernelized_attention(q, k, v, feature_map=phi, rpe=bias, algorithm=algorithm)
    assert max(kept) <= 2 * 700 * 16  # the features; the weights would be 2 · 600 · 600


@pytest.mark.parametrize("algorithm", GENERAL)
def test_padded_keys_and_their_values_change_nothing(algorithm):
    q, k, v = (x.detach() for x in tensors(2, 2, 9, 4, seed=3))
    phi, bias = make_feature_map("favor+", 4, 16).double(), T5Bias(2).double()
    mask = torch.arange(9) < torch.tensor([[9], [5]])
    kind = {"feature_map": phi, "rpe": bias, "algorithm": algorithm}
    before = kernelized_attention(q, k, v, mask=mask, **kind)
    k[1, :, 5:], v[1, :, 5:] = 30, 1e6
    after = kernelized_attention(q, k, v, mask=mask, **kind)
    torch.testing.assert_close(before, after)
    short = kernelized_attention(*(x[1:, :, :5] for x in (q, k, v)), **kind)
    torch.testing.assert_close(after[1:, :, :5], short)


@pytest.mark.parametrize("algorithm", GENERAL)
@pytest.mark.parametrize("feature_map", ["favor+", "nprf", "exp", "relu"])
@pytest.mark.parametrize("bad", [torch.nan, torch.inf])
def test_a_padded_key_may_be_no_number(algorithm, feature_map, bad):
    q, k, v = tensors(2, 2, 9, 4, seed=3)
    phi, bias = make_feature_map(feature_map, 4, 16).double(), T5Bias(2).double()
    mask = torch.arange(9) < torch.tensor([[9], [5]])
    kind = {"feature_map": phi, "rpe": bias, "mask": mask, "algorithm": algorithm}
    padded = ~mask[:, None, :, None]
    spoilt = [q, *(x.detach().masked_fill(padded, bad).requires_grad_() for x in (k, v))]
    before, after = kernelized_attention(q, k, v, **kind), kernelized_attention(*spoilt, **kind)
    torch.testing.assert_close(after, before)
    torch.testing.assert_close(gradients(after, spoilt), gradients(before, [q, k, v]))


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


@pytest.mark.parametrize("algorithm", ["dense", "band"])
def test_long_vectors_and_steep_biases_neither_overflow_nor_vanish(algorithm):
    generator = torch.Generator().manual_seed(6)
    q, k, v = (torch.randn(1, 2, 20, 4, generator=generator) * 25 for _ in range(3))
    phi, bias = make_feature_map("favor+", 4, 64), ClippedBias(2, window=30)
    with torch.no_grad():
        bias.table.copy_(torch.linspace(-400, 400, 61).expand(2, -1))
    kind = {"feature_map": phi, "rpe": bias, "algorithm": algorithm}
    assert kernelized_attention(q, k, v, **kind).isfinite().all()
    steep = kernelized_attention(0 * q, 0 * k, v, **kind)
    torch.testing.assert_close(steep[:, :, 0], v[:, :, -1], rtol=1e-4, atol=1e-3)
    torch.testing.assert_close(steep[:, :, -1], v[:, :, -1], rtol=1e-4, atol=1e-3)


@settings(max_examples=20, deadline=None)
@given(n=st.integers(1, 9), keys=st.integers(1, 9), seed=st.integers(0, 9), masked=st.booleans())
def test_queries_attend_to_another_sequence(formula, n, keys, seed, masked):
    q, _, _ = tensors(2, 2, n, 3, seed)
    _, k, v = tensors(2, 2, keys, 3, seed + 1)
    phi = make_feature_map("nprf", 3, 8).double()
    mask = random_mask(2, keys, seed) if masked else None
    result = kernelized_attention(q, k, v, feature_map=phi, mask=mask)
    expected = formula(phi(q, True), phi(k, False), v, None, mask, False)
    torch.testing.assert_close(result, expected)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize(("n", "keys"), [(0, 0), (0, 3), (3, 0)])
@pytest.mark.parametrize("masked", [True, False])
def test_no_queries_give_nothing_and_no_keys_give_zeros(algorithm, n, keys, masked):
    q, k, v = tensors(2, 1, n, 4, seed=0)[0], *tensors(2, 1, keys, 4, seed=0)[1:]
    mask = torch.ones(2, keys, dtype=torch.bool) if masked else None
    result = kernelized_attention(q, k, v, feature_map="favor+", mask=mask, algorithm=algorithm)
    assert torch.equal(result, torch.zeros_like(q))
    assert all((gradient == 0).all() for gradient in gradients(result, [q, k, v]))


def test_any_function_can_be_the_feature_map():
    q, k, v = tensors(1, 1, 5, 2, seed=7)
    result = kernelized_attention(q, k, v, feature_map=lambda x, is_query: x.exp())
    weights = q.exp() @ k.exp().mT
    torch.testing.assert_close(result, weights @ v / weights.sum(-1, keepdim=True))


@pytest.mark.parametrize("algorithm", GENERAL)
def test_half_precision_comes_back_and_is_computed_in_single(algorithm):
    q, k, v = (x.detach().bfloat16().requires_grad_() for x in tensors(1, 2, 6, 4, seed=8))
    kind = {"feature_map": "nprf", "rpe": T5Bias(2), "algorithm": algorithm}
    with torch.autocast("cpu", dtype=torch.bfloat16):
        result = kernelized_attention(q, k, v, **kind)
        result.sum().backward()
    assert result.dtype == q.grad.dtype == torch.bfloat16
    single = kernelized_attention(q.float(), k.float(), v.float(), **kind)
    torch.testing.assert_close(result, single.bfloat16())


def test_what_cannot_be_done_is_refused():
    q, k, v = tensors(1, 1, 2, 2, seed=0)
    with pytest.raises(OscarError, match="'magic': choose one of auto, dense, band"):
        kernelized_attention(q, k, v, feature_map="nprf", algorithm="magic")
    for algorithm in ("band", "scan"):
        bias = make_relative_bias("free", 1)
        with pytest.raises(OscarError, match=f"{algorithm} cannot .*: use auto"):
            kernelized_attention(q, k, v, feature_map="nprf", rpe=bias, algorithm=algorithm)
    with pytest.raises(OscarError, match="2 queries and 1 keys have no relative positions"):
        kernelized_attention(q, k[:, :, :1], v[:, :, :1], feature_map="nprf", causal=True)
    with pytest.raises(
        OscarError, match=r"the mask is torch.float32 .* torch.bool of shape \(1, 2\)"
    ):
        kernelized_attention(q, k, v, feature_map="nprf", mask=torch.ones(1, 2))
