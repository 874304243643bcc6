"""Estimates of the exponential kernel: unbiased, and of the variance that theory gives.

An estimate is the mean over m features of independent directions, or over blocks of orthogonal
ones; theory is Choromanski et al., ICLR 2021, lemma 2 and theorem 2.
"""

import pytest
import torch

from oscar.attention import make_feature_map

DIM, DRAWS = 4, 20_000
SOFTMAX_KERNELS = ["nprf", "favor+", "hyperbolic", "trig"]
Q, K = torch.tensor([[0.9, -0.4, 0.2, 0.7], [-0.5, 0.3, -0.6, 0.4]], dtype=torch.float64)


def estimates(name, kind="orthogonal", q=Q, k=K, **options):
    """Independent estimates of κ(q, k), one from each block of DIM directions: (DRAWS,)."""
    per_direction = 2 if name in ("hyperbolic", "trig") else 1
    n_features = per_direction * DIM * DRAWS
    phi = make_feature_map(name, DIM, n_features, directions=kind, **options).double()
    products = phi(q, True) * phi(k, False)
    directions = products.reshape(per_direction, -1).sum(0)
    return directions.reshape(DRAWS, DIM).sum(1) * DRAWS


def error_in_standard_errors(drawn, exact):
    return abs(drawn.mean() - exact) / (drawn.std() / len(drawn) ** 0.5)


@pytest.mark.parametrize("name", SOFTMAX_KERNELS)
def test_the_estimate_of_the_exponential_kernel_is_unbiased(name):
    exact = (Q @ K / Q.norm() / K.norm() if name == "nprf" else Q @ K / 2).exp()
    assert error_in_standard_errors(estimates(name), exact) < 4


@pytest.mark.parametrize(("name", "n_features"), [("favor+", 7), ("hyperbolic", 5), ("trig", 6)])
def test_blocks_that_are_cut_short_are_unbiased(name, n_features):
    phi = make_feature_map(name, DIM, n_features).double()
    drawn = []
    for seed in range(800):
        phi.redraw(seed)
        drawn.append(phi(Q, True) @ phi(K, False))
    assert error_in_standard_errors(torch.stack(drawn), (Q @ K / 2).exp()) < 4


@pytest.mark.parametrize("pair", [(Q, K), (Q, -Q / 2), (0.3 * Q, 0.2 * K)])
@pytest.mark.parametrize("name", ["favor+", "hyperbolic", "trig"])
def test_the_variance_of_independent_features_is_what_theory_says(name, pair):
    q, k = pair
    kernel = (q @ k / 2).exp()
    both, apart = (q + k).square().sum() / 2, (q - k).square().sum() / 2
    plain = both.exp() * kernel**2 * (1 - (-both).exp()) / DIM
    expected = {
        "favor+": plain,
        "hyperbolic": plain * (1 - (-both).exp()) / 2,
        "trig": both.exp() / kernel**2 * (1 - (-apart).exp()) ** 2 / 2 / DIM,
    }[name]
    drawn = estimates(name, "independent", q=q, k=k)
    deviation = (drawn - drawn.mean()).square()
    standard_error = deviation.std() / DRAWS**0.5
    assert abs(deviation.mean() - expected) < 4 * standard_error


@pytest.mark.parametrize("name", SOFTMAX_KERNELS)
@pytest.mark.parametrize("kind", ["orthogonal", "hadamard"])
def test_orthogonal_directions_lower_the_variance(name, kind):
    assert estimates(name, kind).var() < estimates(name, "independent").var()


@pytest.mark.parametrize("kind", ["independent", "orthogonal"])
def test_hyperbolic_features_vary_less_than_as_many_plain_ones(kind):
    # Plain features have twice the directions for their number, hence half this variance.
    assert estimates("hyperbolic", kind).var() < estimates("favor+", kind).var() / 2


def test_square_root_norms_trade_a_small_bias_for_less_variance():
    free, regular = estimates("favor+"), estimates("favor+", norms="sqrt")
    exact = (Q @ K / 2).exp()
    assert regular.var() < free.var()
    assert 0.8 * exact < regular.mean() < exact  # theorem 1: from below


def test_nprf_reads_the_direction_of_a_vector_and_not_its_length():
    phi, favor = (
        make_feature_map("nprf", 8, 32).double(),
        make_feature_map("favor+", 8, 32).double(),
    )
    x = torch.randn(5, 8, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    unit = torch.nn.functional.normalize(x, dim=-1)
    torch.testing.assert_close(phi(x, True), favor(unit * 8**0.25, True))
    torch.testing.assert_close(phi(7 * x, True), phi(x, True))
    assert phi(torch.zeros(1, 8), False).isfinite().all()


def test_a_zero_vector_has_a_finite_gradient():
    x = torch.zeros(1, 1, 1, 8, requires_grad=True)
    make_feature_map("nprf", 8, 32).scaled(x, True).sum().backward()
    assert x.grad.isfinite().all()


def test_the_largest_scaled_exponential_is_about_one():
    x = 300 * torch.randn(1, 1, 6, DIM, generator=torch.Generator().manual_seed(3))
    for name in ("nprf", "favor+", "hyperbolic"):
        for is_query in (True, False):
            assert make_feature_map(name, DIM, 8).scaled(x, is_query).amax() == pytest.approx(
                1, abs=1e-3
            )
