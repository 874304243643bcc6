"""What holds for every feature map: shape, type, factors that cancel, state and redrawing."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from oscar.attention import FEATURE_MAPS, make_feature_map
from static_analysis.errors import OscarError

ALL = pytest.mark.parametrize("name", FEATURE_MAPS)


def random(*shape, seed=0, scale=1.0):
    generator = torch.Generator().manual_seed(seed)
    return scale * torch.randn(shape, generator=generator, dtype=torch.float64)


@settings(deadline=None)
@given(
    name=st.sampled_from(list(FEATURE_MAPS)),
    dim=st.integers(1, 9),
    n_features=st.integers(1, 40),
    kind=st.sampled_from(["orthogonal", "hadamard", "independent"]),
    norms=st.sampled_from(["chi", "sqrt"]),
    seed=st.integers(0, 99),
)
def test_any_number_of_features_of_any_width(name, dim, n_features, kind, norms, seed):
    n_features += n_features % 2 if name == "trig" else 0
    phi = make_feature_map(name, dim, n_features, seed, directions=kind, norms=norms)
    x = random(2, 3, 5, dim, seed=seed)
    features = phi(x, True)
    assert features.shape == (2, 3, 5, n_features)
    assert features.dtype == torch.float64
    assert features.isfinite().all()
    assert name == "trig" or (features > 0).all()
    assert torch.equal(features, phi(x, False))


@ALL
def test_half_precision_is_widened_also_under_autocast(name):
    phi, x = make_feature_map(name, 6, 10), random(1, 1, 5, 6).float()
    assert phi(x.bfloat16(), True).dtype == torch.float32
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(phi(x, True), make_feature_map(name, 6, 10)(x, True))
        assert phi.scaled(x, False).dtype == torch.float32


@ALL
@pytest.mark.parametrize("is_query", [True, False])
def test_scaled_features_differ_by_a_factor_that_cancels(name, is_query):
    phi, x = make_feature_map(name, 6, 10).double(), random(2, 3, 5, 6)
    ratio = phi.scaled(x, is_query) / phi(x, is_query)
    shared = ratio[..., :1] if is_query else ratio[..., :1, :1]
    torch.testing.assert_close(ratio, shared.expand_as(ratio))


@ALL
@pytest.mark.parametrize("is_query", [True, False])
def test_scaled_features_stay_finite_for_long_vectors(name, is_query):
    phi = make_feature_map(name, 4, 8)
    x = random(1, 1, 6, 4, scale=300.0).float().requires_grad_()
    features = phi.scaled(x, is_query)
    assert features.isfinite().all()
    assert features.abs().amax() > 1e-3
    assert torch.autograd.grad(features.sum(), x)[0].isfinite().all()


@ALL
def test_padded_keys_have_no_say_in_the_factor(name):
    phi, x = make_feature_map(name, 4, 8).double(), random(1, 1, 6, 4)
    mask = torch.arange(6)[None] < 4
    wild = x.clone()
    wild[:, :, 4:] = 40
    real = phi.scaled(wild, False, mask)[:, :, :4]
    assert torch.equal(real, phi.scaled(x, False, mask)[:, :, :4])


def test_directions_are_saved_and_come_back():
    saved = make_feature_map("favor+", 4, 8, seed=1)
    other = make_feature_map("favor+", 4, 8, seed=2)
    other.load_state_dict(saved.state_dict())
    assert torch.equal(saved.directions, other.directions)
    assert not list(saved.parameters())


def drawn_over(phi, steps):
    drawn = []
    for _ in range(steps):
        phi.step()
        drawn.append(phi.directions)
    return drawn


def test_directions_are_redrawn_on_schedule_in_training_only():
    phi = make_feature_map("favor+", 4, 8, redraw_every=3)
    first = phi.directions
    drawn = drawn_over(phi, 6)
    assert all(torch.equal(directions, first) for directions in drawn[:2])
    assert len({directions.sum().item() for directions in (drawn[1], drawn[2], drawn[5])}) == 3
    assert torch.equal(drawn[2], drawn[4])
    phi.eval()
    assert all(torch.equal(directions, drawn[5]) for directions in drawn_over(phi, 7))


def test_a_resumed_schedule_draws_what_an_uninterrupted_one_does():
    whole = make_feature_map("favor+", 4, 8, seed=5, redraw_every=2)
    begun = make_feature_map("favor+", 4, 8, seed=5, redraw_every=2)
    resumed = make_feature_map("favor+", 4, 8, seed=5, redraw_every=2)
    expected = drawn_over(whole, 9)[5:]
    drawn_over(begun, 5)
    resumed.load_state_dict(begun.state_dict())
    for ours, theirs in zip(drawn_over(resumed, 4), expected, strict=True):
        assert torch.equal(ours, theirs)


def test_without_a_schedule_nothing_changes_but_by_redraw():
    phi = make_feature_map("nprf", 4, 8, seed=1).double()
    first = phi.directions
    assert all(torch.equal(directions, first) for directions in drawn_over(phi, 3))
    phi.redraw(seed=2)
    assert torch.equal(phi.directions, make_feature_map("nprf", 4, 8, seed=2).double().directions)


def test_a_redraw_spoils_no_backward_pass_that_is_still_to_come():
    phi, x = make_feature_map("favor+", 4, 8), random(3, 4).float().requires_grad_()
    features = phi(x, True)
    phi.redraw(seed=9)
    features.sum().backward()
    assert x.grad.isfinite().all()


def test_what_there_is_not_is_refused():
    with pytest.raises(OscarError, match=r"feature map 'cosine'.*nprf, favor\+, hyperbolic"):
        make_feature_map("cosine", 4, 8)
    with pytest.raises(OscarError, match="n_features is 7: trig needs an even number"):
        make_feature_map("trig", 4, 7)
    with pytest.raises(OscarError, match="n_features is 0: it must be at least 1"):
        make_feature_map("nprf", 4, 0)
    with pytest.raises(OscarError, match="redraw_every is -1"):
        make_feature_map("nprf", 4, 8, redraw_every=-1)
    with pytest.raises(OscarError, match="kind of directions 'sobol'"):
        make_feature_map("nprf", 4, 8, directions="sobol")
