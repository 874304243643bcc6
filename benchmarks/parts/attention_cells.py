"""Contenders of the attention benchmark, and how one of them is timed and its memory measured."""

import importlib.util
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from benchmarks.parts.peak_memory import peak_growth
from oscar.attention import RelativeBias, kernelized_attention, make_feature_map
from oscar.attention.relative_bias import log_line
from oscar.attention.toeplitz import extend, toeplitz_rows

HEADS = 12
ENOUGH_SECONDS = 1.5  # of runs in one cell

Attend = Callable[[Tensor, Tensor, Tensor], Tensor]


@dataclass
class Cell:
    """One contender at one length: milliseconds and megabytes; None where left out."""

    forward_ms: float | None = None
    both_ms: float | None = None
    extra_mb: float | None = None


def ours(size: int, rpe: RelativeBias | None, causal: bool, algorithm: str) -> Attend:
    """Kernelised attention with NPRF and as many features as a head is wide."""
    feature_map = make_feature_map("nprf", size, size)

    def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return kernelized_attention(
            q, k, v, feature_map=feature_map, rpe=rpe, causal=causal, algorithm=algorithm
        )

    return attend


def softmax(rpe: RelativeBias | None, causal: bool) -> Attend:
    """Torch's scaled dot product, with the biases of all pairs as its mask if there are any."""

    def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        if rpe is None:
            return F.scaled_dot_product_attention(q, k, v, is_causal=causal)
        n = q.shape[2]
        bias = toeplitz_rows(extend(log_line(rpe, HEADS, n, q), n, causal), 0, n)
        return F.scaled_dot_product_attention(q, k, v, attn_mask=bias[None])

    return attend


def performer(size: int) -> Attend | None:
    """FAVOR+ of performer-pytorch, without relative positions; None if it is not installed."""
    if importlib.util.find_spec("performer_pytorch") is None:
        return None
    from performer_pytorch import FastAttention

    attention: Attend = FastAttention(size, nb_features=size)
    return attention


def inputs(n: int, size: int, device: torch.device) -> list[Tensor]:
    """Queries, keys and values (1, HEADS, n, size)."""
    generator = torch.Generator().manual_seed(n)
    made = [torch.randn(1, HEADS, n, size, generator=generator) for _ in range(3)]
    return [x.to(device).requires_grad_() for x in made]


def measure(contenders: dict[str, Attend], tensors: list[Tensor]) -> dict[str, Cell]:
    """Time the contenders in turns; the first, uncounted turn warms up and finds the memory.

    The cell of one for which there is not enough memory stays empty.
    """
    cells = {name: Cell(extra_mb=extra_memory(f, tensors)) for name, f in contenders.items()}
    cells = {name: cell for name, cell in cells.items() if cell.extra_mb is not None}
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in cells}
    left = dict.fromkeys(cells, ENOUGH_SECONDS)
    while left:
        for name in list(left):
            runs[name].append(timed(contenders[name], tensors))
            left[name] -= sum(runs[name][-1])
            if (left[name] < 0 and len(runs[name]) > 1) or len(runs[name]) == 15:
                del left[name]
    for name, cell in cells.items():
        cell.forward_ms = 1000 * statistics.median(forward for forward, _ in runs[name])
        cell.both_ms = 1000 * statistics.median(sum(run) for run in runs[name])
    return cells


def timed(attend: Attend, tensors: list[Tensor]) -> tuple[float, float]:
    """Give the seconds of a forward and of a backward pass."""
    start = now(tensors[0].device)
    result = attend(*tensors)
    middle = now(tensors[0].device)
    result.backward(torch.ones_like(result))
    stop = now(tensors[0].device)
    for x in tensors:
        x.grad = None
    return middle - start, stop - middle


def extra_memory(attend: Attend, tensors: list[Tensor]) -> float | None:
    """Give by how many megabytes memory grows in a forward and backward pass, None if too many."""
    try:
        return peak_growth(lambda: timed(attend, tensors), tensors[0].device)
    except RuntimeError as error:  # torch.OutOfMemoryError is one, too
        if "memory" not in str(error):
            raise
        return None


def now(device: torch.device) -> float:
    """Give seconds: of one thread its own, which other programs do not slow down."""
    if device.type == "cpu" and torch.get_num_threads() == 1:
        return time.process_time()
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    return time.perf_counter()
