import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from oscar.attention import (
    FEATURE_MAPS,
    RELATIVE_BIASES,
    ClsBias,
    GridBias,
    KernelizedAttention,
    SoftmaxAttention,
    T5Bias,
    kernelized_attention,
    make_feature_map,
)
from static_analysis.errors import OscarError

BOTH = pytest.mark.parametrize("kind", [KernelizedAttention, SoftmaxAttention])


def random(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64)


def exponential_series(x, is_query):
    """Features of exp(xᵀy) itself: all its Taylor terms up to the 14th, as tensor powers."""
    terms, power = [torch.ones_like(x[..., :1])], torch.ones_like(x[..., :1])
    for order in range(1, 15):
        power = (power[..., :, None] * x[..., None, :]).flatten(-2)
        terms.append(power / math.sqrt(math.factorial(order)))
    return torch.cat(terms, dim=-1)


def heads_of(layer, x):
    """Queries, keys and values (batch, heads, n, dim/heads) of a layer's input."""
    return (
        part.unflatten(-1, (layer.heads, -1)).transpose(1, 2)
        for part in layer.projection(x).chunk(3, -1)
    )


def output_of(layer, attended):
    return layer.output(attended.transpose(1, 2).flatten(2))


@settings(max_examples=40, deadline=None)
@given(
    feature_map=st.sampled_from(list(FEATURE_MAPS)),
    rpe=st.sampled_from(list(RELATIVE_BIASES)),
    causal=st.booleans(),
    position_dim=st.integers(0, 3),
    n=st.integers(1, 9),
)
def test_parts_of_the_layer_give_its_result(formula, feature_map, rpe, causal, position_dim, n):
    layer = KernelizedAttention(
        12,
        3,
        feature_map=feature_map,
        n_features=16,
        rpe=rpe,
        causal=causal,
        position_dim=position_dim,
    ).double()
    x, mask = random(2, n, 12), torch.arange(n) < torch.tensor([[n], [4]])
    p, r = random(2, 2, 3, n, position_dim, seed=1)
    q, k, v = heads_of(layer, x * mask[..., None])
    p = p * mask[:, None, :, None]
    phi = layer.feature_map
    query, key = phi(torch.cat([q, p], -1), True), phi(torch.cat([k, r], -1), False)
    expected = output_of(layer, formula(query, key, v, layer.rpe, mask, causal))
    torch.testing.assert_close(layer(x, mask, p, r), expected)


@pytest.mark.parametrize("rpe", RELATIVE_BIASES)
@pytest.mark.parametrize("causal", [True, False])
def test_softmax_layer_gives_the_softmax_formula_with_positions(rpe, causal):
    layer = SoftmaxAttention(6, 2, rpe=rpe, causal=causal, position_dim=5).double()
    x, p, r = random(2, 8, 6), random(2, 2, 8, 5, seed=1), random(2, 2, 8, 5, seed=2)
    mask = torch.arange(8) < torch.tensor([[8], [5]])
    q, k, v = heads_of(layer, x * mask[..., None])
    p = p * mask[:, None, :, None]
    logits = (q @ k.mT + p @ r.mT) / math.sqrt(3 + 5)
    if rpe:
        logits = logits + layer.rpe.matrix(8)
    if causal:
        logits = logits.masked_fill(torch.ones(8, 8).triu(1) > 0, -torch.inf)
    logits = logits.masked_fill(~mask[:, None, None, :], -torch.inf)
    torch.testing.assert_close(layer(x, mask, p, r), output_of(layer, logits.softmax(-1) @ v))


def test_joined_positions_add_their_dot_product_to_the_logit():
    """With the exact exponential kernel, exp([q; p]ᵀ[k; r]) is exp(qᵀk + pᵀr)."""
    q, k, p, r = (random(1, 2, 6, 1, seed=seed) / 2 for seed in range(4))
    v = random(1, 2, 6, 3, seed=4)
    joined_q, joined_k = torch.cat([q, p], dim=-1), torch.cat([k, r], dim=-1)
    result = kernelized_attention(joined_q, joined_k, v, feature_map=exponential_series)
    torch.testing.assert_close(result, (q @ k.mT + p @ r.mT).softmax(-1) @ v)


def test_a_softmax_layer_is_estimated_by_its_kernelised_copy():
    softmax = SoftmaxAttention(8, 2, position_dim=4).double()
    x, p, r = random(1, 9, 8), random(1, 2, 9, 4, seed=1), random(1, 2, 9, 4, seed=2)
    exact = softmax(x, None, p, r)

    def error(n_features):
        layer = KernelizedAttention.from_softmax(softmax, n_features=n_features)
        return float((layer(x, None, p, r) - exact).detach().abs().max())

    assert error(50_000) < 0.05
    assert error(50_000) < error(50)


@pytest.mark.parametrize("rpe", RELATIVE_BIASES)
def test_weights_go_from_one_layer_to_the_other_and_back(rpe):
    softmax, kernelized = SoftmaxAttention(8, 2, rpe=rpe), KernelizedAttention(8, 2, rpe=rpe)
    loaded = kernelized.load_state_dict(softmax.state_dict(), strict=False)
    assert loaded.missing_keys == ["feature_map.directions"]
    assert not loaded.unexpected_keys
    back = SoftmaxAttention(8, 2, rpe=rpe)
    loaded = back.load_state_dict(kernelized.state_dict(), strict=False)
    assert loaded.unexpected_keys == ["feature_map.directions"]
    assert not loaded.missing_keys
    x = random(2, 5, 8).float()
    assert torch.equal(back(x), softmax(x))


def test_a_copy_has_weights_of_its_own():
    softmax = SoftmaxAttention(8, 2, causal=True).eval()
    copy = KernelizedAttention.from_softmax(softmax, feature_map="hyperbolic", n_features=6)
    assert copy.causal
    assert not copy.training
    assert copy.feature_map.n_features == 6
    with torch.no_grad():
        for parameter in copy.parameters():
            parameter.fill_(7)
    assert all((parameter != 7).all() for parameter in softmax.parameters())


@BOTH
def test_padding_is_unseen_and_full_padding_gives_the_output_bias(kind):
    layer = kind(8, 2).double()
    x, mask = random(2, 6, 8), torch.tensor([[True] * 4 + [False] * 2, [False] * 6])
    result = layer(x, mask)
    torch.testing.assert_close(result[:1, :4], layer(x[:1, :4]))
    torch.testing.assert_close(result[1], layer.output.bias.expand(6, 8))
    result.sum().backward()
    assert all(parameter.grad.isfinite().all() for parameter in layer.parameters())


@BOTH
@pytest.mark.parametrize("causal", [True, False])
def test_what_is_padded_may_be_no_number(kind, causal):
    layer = kind(8, 2, causal=causal, position_dim=3).double()
    x, mask = random(2, 6, 8), torch.arange(6) < torch.tensor([[6], [4]])
    positions = [random(2, 2, 6, 3, seed=seed) for seed in (1, 2)]
    for padded in (x[1, 4:], *(each[1, :, 4:] for each in positions)):
        padded.fill_(torch.nan)
    positions = [each.requires_grad_() for each in positions]
    result = layer(x, mask, *positions)
    short = [x[1:, :4], None, *(each[1:, :, :4] for each in positions)]
    torch.testing.assert_close(result[1:, :4], layer(*short))
    result[mask].sum().backward()
    learned = [each for each in [*layer.parameters(), *positions] if each.grad is not None]
    assert all(each.grad.isfinite().all() for each in learned)


@BOTH
@pytest.mark.parametrize("rpe", ["t5", None])
@pytest.mark.parametrize("causal", [True, False])
def test_sequences_without_an_entry_give_none(kind, rpe, causal):
    layer = kind(8, 2, rpe=rpe, causal=causal)
    for mask in (None, torch.zeros(2, 0, dtype=torch.bool)):
        result = layer(torch.zeros(2, 0, 8), mask)
        assert result.shape == (2, 0, 8)
        result.sum().backward()
    assert layer.forward_packed(torch.zeros(0, 8), torch.tensor([0])).shape == (0, 8)


@BOTH
def test_an_empty_context_gives_the_output_bias(kind):
    layer, x = kind(8, 2, rpe=None), random(2, 3, 8).float()
    for mask in (None, torch.zeros(2, 0, dtype=torch.bool)):
        result = layer(x, mask, context=torch.zeros(2, 0, 8))
        torch.testing.assert_close(result, layer.output.bias.expand(2, 3, 8))


@pytest.mark.parametrize("rpe", RELATIVE_BIASES)
@BOTH
def test_no_sequence_at_all_gives_none_and_no_gradient(kind, rpe):
    layer = kind(8, 2, rpe=rpe)
    result = layer(torch.zeros(0, 5, 8), torch.zeros(0, 5, dtype=torch.bool))
    assert result.shape == (0, 5, 8)
    result.sum().backward()
    gradients = [each.grad for each in layer.parameters() if each.grad is not None]
    assert all((gradient == 0).all() for gradient in gradients)


@BOTH
def test_a_causal_layer_never_looks_ahead(kind):
    layer = kind(8, 2, causal=True).double()
    x = random(1, 7, 8)
    changed = x.clone()
    changed[:, 4:] += 1
    torch.testing.assert_close(layer(x)[:, :4], layer(changed)[:, :4])


@BOTH
def test_a_causal_query_with_only_padding_before_it_gives_the_output_bias(kind):
    layer = kind(8, 2, causal=True).double()
    result = layer(random(1, 5, 8), torch.tensor([[False, False, True, True, True]]))
    torch.testing.assert_close(result[0, :2], layer.output.bias.expand(2, 8))


@BOTH
def test_relative_positions_tell_orders_apart(kind):
    x = random(1, 5, 8)
    for rpe, same in [(None, True), ("t5", False)]:
        layer = kind(8, 2, rpe=rpe).double()
        assert torch.allclose(layer(x).flip(1), layer(x.flip(1)), atol=1e-9) is same


@BOTH
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_autocast_stays_close_to_single_precision(kind, dtype):
    layer = kind(16, 2)
    x = random(2, 300, 16).float()
    with torch.autocast("cpu", dtype=dtype):
        half = layer(x)
        half.float().square().sum().backward()
    torch.testing.assert_close(half.float(), layer(x), rtol=0.05, atol=0.05)
    assert all(parameter.grad.isfinite().all() for parameter in layer.parameters())


@BOTH
@pytest.mark.parametrize("position_dim", [0, 3])
def test_packed_sequences_are_what_they_are_alone(kind, position_dim):
    layer = kind(8, 2, position_dim=position_dim).double()
    lengths = [5, 1, 9]
    x, cu_seqlens = random(15, 8), torch.tensor([0, 5, 6, 15])
    p, r = random(2, 15, 2, position_dim, seed=1)
    packed = layer.forward_packed(x, cu_seqlens, p, r)
    parts = zip(*(part.split(lengths) for part in (x, p, r)), strict=True)
    alone = [
        layer(x[None], None, p.transpose(0, 1)[None], r.transpose(0, 1)[None])[0]
        for x, p, r in parts
    ]
    torch.testing.assert_close(packed, torch.cat(alone))


@pytest.mark.parametrize("algorithm", ["auto", "dense"])
@pytest.mark.parametrize("cls", [True, False])
def test_packed_grids_and_cls_entries_are_what_they_are_alone(cls, algorithm):
    rpe = ClsBias(2, T5Bias(2)) if cls else GridBias(2, 2, 3)
    layer = KernelizedAttention(8, 2, rpe=rpe, algorithm=algorithm).double()
    x = random(2, 6, 8)
    packed = layer.forward_packed(x.flatten(0, 1), torch.tensor([0, 6, 12]))
    torch.testing.assert_close(packed, layer(x).flatten(0, 1))


@BOTH
def test_a_context_is_attended_to(kind):
    layer = kind(8, 2, rpe=None).double()
    x, context = random(2, 3, 8), random(2, 7, 8, seed=1)
    mask = torch.arange(7) < torch.tensor([[7], [5]])
    result = layer(x, mask, context=context)
    assert result.shape == x.shape
    # A sequence as its own context is self-attention; a padded context is a shorter one.
    torch.testing.assert_close(layer(x, context=x), layer(x))
    torch.testing.assert_close(result[1], layer(x[1:], context=context[1:, :5])[0])
    for options in ({"rpe": "t5"}, {"rpe": None, "causal": True}):
        with pytest.raises(OscarError, match="cross-attention has no offsets"):
            kind(8, 2, **options).double()(x, context=context)


@BOTH
@pytest.mark.parametrize(
    "rpe", [ClsBias(2, T5Bias(2)), GridBias(2, 3, 4), ClsBias(2, GridBias(2, 3, 4))]
)
def test_cls_entries_and_grids_have_their_layers(kind, rpe):
    n = 13 if isinstance(rpe, ClsBias) else 12
    layer = kind(8, 2, rpe=rpe)
    layer(random(2, n, 8).float()).square().sum().backward()
    assert all((parameter.grad != 0).any() for parameter in layer.rpe.parameters())


@pytest.mark.parametrize(
    ("kind", "rpe"),
    [(KernelizedAttention, "t5"), (KernelizedAttention, "free"), (SoftmaxAttention, "t5")],
)
def test_a_layer_compiles_to_one_graph_without_a_warning(kind, rpe, caplog):
    caplog.set_level("WARNING", logger="torch.__trace")  # traces for developers warn themselves
    layer, x = kind(8, 2, rpe=rpe), random(2, 40, 8).float()
    mask = torch.arange(40) < torch.tensor([[40], [23]])
    compiled = torch.compile(layer, backend="eager", fullgraph=True)
    result = compiled(x, mask)
    torch.testing.assert_close(result, layer(x, mask))
    result.sum().backward()
    assert all(parameter.grad.isfinite().all() for parameter in layer.parameters())
    torch.compiler.reset()


def test_features_are_redrawn_in_training_only():
    phi = make_feature_map("favor+", 4, 8, redraw_every=2)
    layer, x = KernelizedAttention(8, 2, feature_map=phi), random(1, 5, 8).float()
    layer.eval()
    first = layer(x)
    assert all(torch.equal(layer(x), first) for _ in range(3))
    layer.train()
    assert torch.equal(layer(x), first)
    assert not torch.equal(layer(x), first)


def test_seed_chooses_the_features_and_the_state_holds_them():
    first, same, other = (KernelizedAttention(8, 2, seed=seed) for seed in (1, 1, 2))
    name = "feature_map.directions"
    assert torch.equal(first.state_dict()[name], same.state_dict()[name])
    assert not torch.equal(first.state_dict()[name], other.state_dict()[name])


def test_what_there_is_not_is_refused():
    with pytest.raises(OscarError, match="dim 10 does not split into 3 heads"):
        KernelizedAttention(10, 3)
    with pytest.raises(OscarError, match="unknown algorithm 'magic'"):
        KernelizedAttention(8, 2, algorithm="magic")
    with pytest.raises(OscarError, match="unknown feature map 'cosine'"):
        KernelizedAttention(8, 2, feature_map="cosine")
    with pytest.raises(OscarError, match="keys of width 8, those of this layer have 4"):
        KernelizedAttention(8, 2, feature_map=make_feature_map("nprf", 8))
    with pytest.raises(OscarError, match="unknown relative positional encoding 'rotary'"):
        SoftmaxAttention(8, 2, rpe="rotary")


@BOTH
def test_inputs_of_another_kind_or_shape_are_refused(kind):
    layer, x = kind(8, 2, rpe=None), torch.zeros(2, 6, 8)
    with pytest.raises(OscarError, match=r"x has the shape \(6, 8\): .*\(batch, n, 8\)"):
        layer(x[0])
    with pytest.raises(OscarError, match=r"context has the shape .*\(batch, any length, 8\)"):
        layer(x, context=x[0])
    for mask in (torch.ones(2, 6), torch.ones(2, 6, dtype=torch.int64), torch.ones(2, 5).bool()):
        with pytest.raises(OscarError, match=r"the mask is .* torch.bool of shape \(2, 6\)"):
            layer(x, mask)
    with pytest.raises(OscarError, match=r"x has the shape .*: give it as \(total, 8\)"):
        layer.forward_packed(x, torch.tensor([0, 12]))
    for starts in (torch.tensor([0, 5]), torch.tensor([0, 7, 5, 12]), [0, 12]):
        with pytest.raises(OscarError, match="cu_seqlens does not divide 12 rows"):
            layer.forward_packed(x.flatten(0, 1), starts)
