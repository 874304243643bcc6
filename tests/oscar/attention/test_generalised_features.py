import pytest
import torch
from torch.nn import functional as F

from oscar.attention import make_feature_map
from oscar.attention.generalised_features import FLOOR, GeneralisedFeatures, raised_gelu

FUNCTIONS = {
    "relu": F.relu,
    "gelu": raised_gelu,
    "elu": lambda x: F.elu(x) + 1,
    "sigmoid": torch.sigmoid,
    "exp": torch.exp,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_features_are_the_formula(name):
    phi = make_feature_map(name, 4, 6).double()
    x = torch.randn(5, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    projected = x / 4**0.25 @ phi.directions.T
    expected = (FUNCTIONS[name](projected) + FLOOR) / 6**0.5
    torch.testing.assert_close(phi(x, True), expected)


def test_gelu_is_raised_to_touch_zero():
    x = torch.linspace(-5, 5, 100_001, dtype=torch.float64)
    assert 0 <= raised_gelu(x).min() < 1e-7


def test_any_function_makes_a_map():
    phi = GeneralisedFeatures(torch.square, 4, 6, seed=2, directions="hadamard")
    assert phi(torch.zeros(1, 4), True)[0, 0] == pytest.approx(FLOOR / 6**0.5)
