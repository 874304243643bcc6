import pytest
import torch

from oscar.attention import FEATURE_MAPS, make_feature_map
from static_analysis.errors import OscarError

EXPONENTIAL = ["nprf", "favor+", "hyperbolic"]
SOFTMAX_KERNELS = [*EXPONENTIAL, "trig"]


Q, K = torch.tensor([[0.9, -0.4, 0.2, 0.7], [0.5, 0.3, -0.6, 1.0]], dtype=torch.float64)
BLOCKS = 5000


def block_estimates(phi) -> torch.Tensor:
    """Independent estimates of κ(Q, K), one from each orthogonal block of four directions."""
    products = phi(Q, True) * phi(K, False)
    directions = products.reshape(phi.features_per_direction, -1).sum(0)
    return directions.reshape(BLOCKS, 4).sum(1) * BLOCKS


def many_features(name: str):
    per_direction = FEATURE_MAPS[name].features_per_direction
    return make_feature_map(name, 4, 4 * per_direction * BLOCKS).double()


@pytest.mark.parametrize("name", SOFTMAX_KERNELS)
def test_the_estimate_of_the_exponential_kernel_is_unbiased(name):
    estimates = block_estimates(many_features(name))
    exact = (Q @ K / Q.norm() / K.norm() if name == "nprf" else Q @ K / 2).exp()
    standard_error = estimates.std() / BLOCKS**0.5
    assert standard_error < 0.05
    assert abs(estimates.mean() - exact) < 4 * standard_error


def test_orthogonal_directions_lower_the_variance():
    orthogonal = many_features("favor+")
    independent = many_features("favor+")
    independent.directions.normal_(generator=torch.Generator().manual_seed(0))
    assert block_estimates(orthogonal).var() < block_estimates(independent).var()


def test_nprf_reads_the_direction_of_a_vector_and_not_its_length():
    phi = make_feature_map("nprf", 8, 32)
    x = torch.randn(5, 8, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(phi.prepare(x).norm(dim=-1), torch.ones(5))
    torch.testing.assert_close(phi(7 * x, True), phi(x, True))
    assert phi(torch.zeros(1, 8), False).isfinite().all()


@pytest.mark.parametrize("name", FEATURE_MAPS)
def test_shape_type_and_sign(name):
    phi = make_feature_map(name, 6, 10)
    x = torch.randn(2, 3, 5, 6, generator=torch.Generator().manual_seed(1))
    assert phi(x, True).shape == (2, 3, 5, 10)
    assert phi(x.bfloat16(), True).dtype == torch.float32
    assert phi.double()(x.double(), True).dtype == torch.float64
    if name != "trig":
        assert (phi(x.double(), False) > 0).all()


@pytest.mark.parametrize("name", FEATURE_MAPS)
def test_autocast_leaves_the_features_in_single_precision(name):
    phi = make_feature_map(name, 6, 10)
    x = torch.randn(1, 1, 5, 6, generator=torch.Generator().manual_seed(1))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(phi(x, True), make_feature_map(name, 6, 10)(x, True))
        assert phi.scaled(x, False).dtype == torch.float32


@pytest.mark.parametrize("name", FEATURE_MAPS)
@pytest.mark.parametrize("is_query", [True, False])
def test_scaled_features_differ_by_a_factor_that_cancels(name, is_query):
    phi = make_feature_map(name, 6, 10).double()
    generator = torch.Generator().manual_seed(2)
    x = torch.randn(2, 3, 5, 6, generator=generator, dtype=torch.float64)
    ratio = phi.scaled(x, is_query) / phi(x, is_query)
    shared = ratio[..., :1] if is_query else ratio[..., :1, :1]
    torch.testing.assert_close(ratio, shared.expand_as(ratio))


@pytest.mark.parametrize("name", EXPONENTIAL)
def test_scaled_features_stay_finite_for_long_vectors(name):
    phi = make_feature_map(name, 4, 8)
    x = 300 * torch.randn(1, 1, 6, 4, generator=torch.Generator().manual_seed(3))
    for is_query in (True, False):
        features = phi.scaled(x, is_query)
        assert features.isfinite().all()
        assert features.amax() == 1


def test_padded_keys_have_no_say_in_the_factor():
    phi = make_feature_map("favor+", 4, 8)
    x = torch.randn(1, 1, 6, 4, generator=torch.Generator().manual_seed(4))
    mask = torch.tensor([[True, True, True, True, False, False]])
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


def test_unknown_map_and_odd_features_are_refused():
    with pytest.raises(OscarError, match=r"feature map 'cosine'.*nprf, favor\+, hyperbolic"):
        make_feature_map("cosine", 4, 8)
    with pytest.raises(OscarError, match="n_features is 7"):
        make_feature_map("trig", 4, 7)
    with pytest.raises(OscarError, match="n_features is 0"):
        make_feature_map("nprf", 4, 0)
