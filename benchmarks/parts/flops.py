"""Floating-point operations: how many a computation takes, and how many a device can do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch.utils.flop_counter import FlopCounterMode

# Dense bf16 (fp16 where there is no bf16) operations per second with tensor cores, from the
# makers' data sheets; the first name that is part of the device's counts.
_PEAKS = {
    "B200": 2.25e15,
    "H200": 989e12,
    "H100 PCIe": 756e12,
    "H100 NVL": 835e12,
    "H100": 989e12,
    "A100": 312e12,
    "L40S": 362e12,
    "L40": 181e12,
    "L4": 121e12,
    "A40": 150e12,
    "A10": 125e12,
    "RTX 4090": 165e12,
    "RTX 3090": 71e12,
    "V100": 125e12,
    "T4": 65e12,
}


def count_flops(computation: Callable[[], Any]) -> int:
    """Operations of the matrix products of a computation, its backward pass included if it runs.

    A product and its addition are two. What is no matrix product (norms, softmax, Fourier
    transforms) is not counted, as is the custom for model FLOPs.
    """
    with FlopCounterMode(display=False) as counter:
        computation()
    return int(counter.get_total_flops())


def peak_flops(device_name: str) -> float | None:
    """Operations per second that a device of this name can do at most, None if not known."""
    return next((peak for name, peak in _PEAKS.items() if name in device_name), None)
