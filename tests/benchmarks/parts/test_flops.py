import pytest
import torch

from benchmarks.parts.flops import count_flops, peak_flops


def test_a_linear_layer_by_hand():
    layer, x = torch.nn.Linear(5, 7), torch.randn(3, 5)
    assert count_flops(lambda: layer(x)) == 2 * 3 * 5 * 7
    # Backward: the gradient of the weight; the input needs none.
    assert count_flops(lambda: layer(x).sum().backward()) == 2 * (2 * 3 * 5 * 7)


@pytest.mark.parametrize(
    ("name", "peak"),
    [
        ("NVIDIA H200", 989e12),
        ("NVIDIA A100-SXM4-80GB", 312e12),
        ("NVIDIA H100 PCIe", 756e12),
        ("NVIDIA L40S", 362e12),
        ("Tesla T4", 65e12),
        ("a device of tomorrow", None),
    ],
)
def test_peaks_by_name(name, peak):
    assert peak_flops(name) == peak
