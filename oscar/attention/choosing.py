"""Which algorithm is fastest: a cost model with factors measured on real machines.

The cost of an algorithm is counted in keys weighed for each query by `dense`. The factors are in
measured.json; ``python -m benchmarks.attention --remeasure`` measures them anew.
"""

import json
import math
from functools import cache
from importlib.resources import files

import torch
from torch import Tensor

from oscar.attention.band import near_blocks
from oscar.attention.relative_bias import RelativeBias


def choose(
    usable: list[str], query: Tensor, value: Tensor, rpe: RelativeBias | None, causal: bool
) -> str:
    """Give the algorithm of least cost.

    Args:
        usable: those that can do with the encoding.
        query: φ(q), (batch, heads, n, m).
        value: (batch, heads, n, d).
        rpe: relative positional encoding, or None for c = 1.
        causal: whether c is zero for keys after the query.
    """
    if "linear" in usable:
        return "linear"
    n, features, width = query.shape[2], query.shape[3], value.shape[3] + 1
    tail = 0 if rpe is None else rpe.tail
    costs = [
        keys(name, n, features, width, tail, causal) * factor(name, query.device.type)
        for name in usable
    ]
    return usable[costs.index(min(costs))]


def keys(name: str, n: int, features: int, width: int, tail: int | None, causal: bool) -> float:
    """Give how many keys a query's cost is worth, up to the factor of the algorithm."""
    if name == "dense":
        return (n + min(n, 128)) / 2 if causal else n
    if name == "band":
        size, reach = near_blocks(min(tail or 0, n - 1))
        return size * (reach + 1 if causal else 2 * reach + 1)
    if name == "scan":
        return 1.0
    if name == "fft":
        products = features * width / (features + width)
        return products * math.log2(2 * n) * (2 if causal else 1)
    return math.inf  # reference_fft


@torch.compiler.assume_constant_result  # it reads a file
def factor(name: str, device: str) -> float:
    """Give the measured factor of an algorithm on a kind of device, CPU where none is known."""
    table = _measured()
    by_device = table.get(device, table["cpu"])
    threads = str(min(2, torch.get_num_threads()))
    return by_device.get(threads, by_device["1"]).get(name, 1.0)


@cache
def _measured() -> dict[str, dict[str, dict[str, float]]]:
    table: dict[str, dict[str, dict[str, float]]] = json.loads(
        files("oscar.attention").joinpath("measured.json").read_text(encoding="utf-8")
    )
    return table
