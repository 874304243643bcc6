"""Measures the factors that `auto` chooses an algorithm of kernelised attention by."""

import json
from pathlib import Path

import torch

from benchmarks.parts.attention_cells import HEADS, inputs, measure, ours
from oscar.attention import make_relative_bias
from oscar.attention.choosing import keys

SIZE = 64
MEASURED = Path(__file__).parents[2] / "oscar" / "attention" / "measured.json"
# Algorithm, encoding, causal, and a length at which dense is not far off.
CASES = (("band", "t5", False, 512), ("scan", "alibi", False, 512), ("fft", "kerple", False, 2048))


def write_factors(device: str) -> None:
    """Measure on a device with one and two threads and put the factors into the package."""
    table = json.loads(MEASURED.read_text(encoding="utf-8"))
    table[device] = {}
    for threads in (1, 2):
        torch.set_num_threads(threads)
        table[device][str(threads)] = {case[0]: factor(*case, device) for case in CASES}
    MEASURED.write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(table[device], indent=2))


def factor(algorithm: str, encoding: str, causal: bool, n: int, device: str) -> float:
    """Give the algorithm's time over that of dense, both for each of the keys they count."""
    rpe = make_relative_bias(encoding, HEADS, causal)
    assert rpe is not None
    rpe = rpe.to(device)
    rivals = {name: ours(SIZE, rpe, causal, name) for name in ("dense", algorithm)}
    cells = measure(rivals, inputs(n, SIZE, torch.device(device)))
    times = {name: cell.both_ms or 0.0 for name, cell in cells.items()}
    counts = {name: keys(name, n, SIZE, SIZE + 1, rpe.tail, causal) for name in rivals}
    return round(times[algorithm] / counts[algorithm] / (times["dense"] / counts["dense"]), 3)
