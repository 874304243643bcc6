import pytest
import torch

from oscar.attention import make_relative_bias
from oscar.attention.algorithms import usable_algorithms
from oscar.attention.choosing import choose, factor


def pick(n, rpe, causal=False, size=64):
    bias = make_relative_bias(rpe, 2, causal)
    x = torch.empty(1, 2, n, size, device="meta")
    return choose(usable_algorithms(bias, causal), x, x, bias, causal)


@pytest.mark.parametrize("rpe", ["t5", "clipped"])
@pytest.mark.parametrize("causal", [True, False])
def test_a_constant_tail_is_dense_when_short_and_a_band_when_long(rpe, causal):
    assert [pick(n, rpe, causal) for n in (16, 128, 2048, 65536)] == ["dense"] * 2 + ["band"] * 2


def test_arbitrary_biases_are_dense_until_transforms_pay():
    assert [pick(n, "kerple") for n in (16, 2048, 65536)] == ["dense", "dense", "fft"]


def test_a_decay_is_scanned_when_long():
    assert [pick(n, "alibi") for n in (16, 65536)] == ["dense", "scan"]


def test_without_positions_time_is_linear():
    assert pick(16, None) == pick(65536, None) == "linear"
    assert pick(65536, None, causal=True) in ("band", "scan")


def test_a_device_nobody_measured_has_the_factors_of_the_cpu():
    assert factor("band", "xpu") == factor("band", "cpu") > 0
