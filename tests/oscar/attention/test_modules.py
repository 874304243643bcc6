import math

import pytest
import torch

from oscar.attention import KernelizedAttention, SoftmaxAttention, kernelized_attention
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


def test_parts_of_the_layer_give_its_result(formula):
    layer = KernelizedAttention(12, 3, n_features=16).double()
    x, mask = random(2, 7, 12), torch.arange(7) < torch.tensor([[7], [4]])
    q, k, v = (
        part.reshape(2, 7, 3, 4).transpose(1, 2) for part in layer.projection(x).chunk(3, -1)
    )
    phi = layer.feature_map
    attended = formula(phi(q, True), phi(k, False), v, layer.rpe, mask, False)
    expected = layer.output(attended.transpose(1, 2).reshape(2, 7, 12))
    torch.testing.assert_close(layer(x, mask), expected)


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("rpe", ["t5", "clipped", None])
def test_softmax_layer_gives_the_softmax_formula_with_positions(rpe, causal):
    layer = SoftmaxAttention(6, 2, rpe=rpe, causal=causal, position_dim=5).double()
    x, p, r = random(2, 8, 6), random(2, 2, 8, 5, seed=1), random(2, 2, 8, 5, seed=2)
    mask = torch.arange(8) < torch.tensor([[8], [5]])
    q, k, v = (
        part.reshape(2, 8, 2, 3).transpose(1, 2) for part in layer.projection(x).chunk(3, -1)
    )
    place = torch.arange(8)
    offsets = place[None] - place[:, None]
    logits = (q @ k.mT + p @ r.mT) / math.sqrt(3 + 5)
    if rpe:
        logits = logits + layer.rpe.bias(offsets.flatten()).reshape(2, 8, 8)
    if causal:
        logits = logits.masked_fill(offsets > 0, -torch.inf)
    logits = logits.masked_fill(~mask[:, None, None, :], -torch.inf)
    expected = layer.output((logits.softmax(-1) @ v).transpose(1, 2).reshape(2, 8, 6))
    torch.testing.assert_close(layer(x, mask, p, r), expected)


def test_joined_positions_add_their_dot_product_to_the_logit():
    """With the exact exponential kernel, exp([q; p]ᵀ[k; r]) is exp(qᵀk + pᵀr)."""
    q, k, p, r = (random(1, 2, 6, 1, seed=seed) / 2 for seed in range(4))
    v = random(1, 2, 6, 3, seed=4)
    joined_q, joined_k = torch.cat([q, p], dim=-1), torch.cat([k, r], dim=-1)
    result = kernelized_attention(joined_q, joined_k, v, feature_map=exponential_series)
    torch.testing.assert_close(result, (q @ k.mT + p @ r.mT).softmax(-1) @ v)


def test_favor_layer_with_positions_approaches_the_softmax_layer():
    softmax = SoftmaxAttention(8, 2, position_dim=4).double()
    x, p, r = random(1, 9, 8), random(1, 2, 9, 4, seed=1), random(1, 2, 9, 4, seed=2)
    exact = softmax(x, None, p, r)

    def error(n_features):
        layer = KernelizedAttention(
            8, 2, feature_map="favor+", n_features=n_features, position_dim=4
        )
        layer.load_state_dict(softmax.state_dict(), strict=False)
        return float((layer.double()(x, None, p, r) - exact).detach().abs().max())

    assert error(50_000) < 0.05
    assert error(50_000) < error(50)


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
def test_autocast_stays_close_to_single_precision(kind):
    layer = kind(16, 2)
    x = random(2, 5, 16).float()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        half = layer(x)
    torch.testing.assert_close(half.float(), layer(x), rtol=0.05, atol=0.05)


def test_seed_chooses_the_features_and_the_state_holds_them():
    first, same, other = (KernelizedAttention(8, 2, seed=seed) for seed in (1, 1, 2))
    name = "feature_map.directions"
    assert torch.equal(first.state_dict()[name], same.state_dict()[name])
    assert not torch.equal(first.state_dict()[name], other.state_dict()[name])


def test_what_there_is_not_is_refused():
    with pytest.raises(OscarError, match="dim 10 does not split into 3 heads"):
        KernelizedAttention(10, 3)
    with pytest.raises(OscarError, match="unknown algorithm 'band'"):
        KernelizedAttention(8, 2, algorithm="band")
    with pytest.raises(OscarError, match="unknown feature map 'cosine'"):
        KernelizedAttention(8, 2, feature_map="cosine")
    with pytest.raises(OscarError, match="unknown relative positional encoding 'rotary'"):
        SoftmaxAttention(8, 2, rpe="rotary")
