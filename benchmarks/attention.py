"""How long attention takes and how much memory: ours beside softmax attention and Performers.

    python -m benchmarks.attention [--lengths 1024 4096] [--rpe free] [--device cuda] [--json FILE]
    python -m benchmarks.attention --algorithms   # is any faster than the one that auto picks?
    python -m benchmarks.attention --remeasure    # measure the factors that auto chooses by

One sequence, twelve heads. A cell holds medians over interleaved runs after a warm-up: forward /
forward + backward in milliseconds, gradients of q, k, v and the biases included; how many times
as long as ours the latter is; and the peak of extra memory in megabytes.

Time is that of the clock; of one thread on a CPU it is CPU time, the same but for what else runs on
the machine. Memory is on a CPU the growth of the process's resident set, results and gradients
included, with all freed memory given back to the system before; on a GPU what torch allocated. A
cell that would take longer or more memory than the limits, judging by the length before, is left
out: –. The floor is the time of all products of matrices in ours at the speed of one large product.
"""

import json
import math
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated

import cyclopts
import torch
from rich.console import Console
from rich.table import Table

from benchmarks.parts.attention_cells import (
    HEADS,
    Attend,
    Cell,
    inputs,
    measure,
    now,
    ours,
    performer,
    softmax,
)
from benchmarks.parts.attention_factors import write_factors
from oscar.attention import FreeBias, RelativeBias, make_relative_bias
from oscar.attention.algorithms import usable_algorithms
from oscar.attention.choosing import choose, keys

LENGTHS = (128, 256, 512, 1024, 2048, 4096, 8192, 16384, 65536)
Numbers = Annotated[list[int], cyclopts.Parameter(consume_multiple=True)]


@dataclass
class Row:
    """All contenders at one length; the first is ours, the algorithm that auto picks."""

    n: int
    d: int
    threads: int
    auto: str
    floor_ms: float
    cells: dict[str, Cell] = field(default_factory=dict)


@dataclass
class Limits:
    """What a cell may take."""

    seconds: float
    gigabytes: float

    def allow(self, before: list[tuple[int, Cell]], n: int) -> bool:
        """Tell whether the next cell will do, judging by shorter lengths and their cells."""
        if not before:
            return True
        length, last = before[-1]
        if last.both_ms is None or last.extra_mb is None:
            return False
        power = 2.0
        if len(before) > 1 and before[-2][1].both_ms:
            shorter, earlier = before[-2]
            growth = math.log(last.both_ms / earlier.both_ms) / math.log(length / shorter)
            power = min(2.2, max(1.0, growth))
        scale: float = (n / length) ** power / 1000
        return last.both_ms * scale < self.seconds and last.extra_mb * scale < self.gigabytes


def main(
    *,
    lengths: Numbers = list(LENGTHS),  # noqa: B006
    sizes: Numbers = [64, 32],  # noqa: B006
    threads: Numbers = [1, 2],  # noqa: B006
    rpe: str = "t5",
    causal: bool = False,
    device: str = "cpu",
    seconds: float = 12.0,
    gigabytes: float = 4.0,
    algorithms: bool = False,
    remeasure: bool = False,
    json_file: Annotated[Path | None, cyclopts.Parameter("--json")] = None,
) -> None:
    """Time attention.

    Args:
        lengths: tokens of the sequence, in order.
        sizes: width of a head and number of its features.
        threads: threads of the CPU.
        rpe: relative positional encoding of ours, reference_fft and sdpa_rpe; "none" for none.
        causal: time causal attention; performer is not, then, among the contenders.
        device: cpu or cuda.
        seconds: leave out cells whose run would take longer.
        gigabytes: leave out cells that would take more extra memory.
        algorithms: compare our algorithms with each other instead.
        remeasure: write the factors that auto chooses by into the package, and no more.
        json_file: write the figures here, too.
    """
    if remeasure:
        write_factors(device)
        return
    rows: list[Row] = []
    for size in sizes:
        for count in threads:
            torch.set_num_threads(count)
            bias = encoding(rpe, max(lengths), causal, device)
            names = contenders(size, bias, causal, algorithms)
            group = measure_rows(
                names, lengths, size, bias, causal, device, Limits(seconds, gigabytes)
            )
            Console(width=180).print(table(group, rpe, causal))
            rows += group
    if json_file is not None:
        json_file.write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n")


def encoding(name: str, longest: int, causal: bool, device: str) -> RelativeBias | None:
    """Give the encoding called `name`, free biases for as long a sequence as there is."""
    if name == "none":
        return None
    rpe = FreeBias(HEADS, longest) if name == "free" else make_relative_bias(name, HEADS, causal)
    assert rpe is not None
    return rpe.to(device)


def contenders(
    size: int, rpe: RelativeBias | None, causal: bool, algorithms: bool
) -> dict[str, Attend]:
    """Give ours and its rivals, or ours and all algorithms."""
    chosen = {"ours": ours(size, rpe, causal, "auto")}
    if algorithms:
        names = usable_algorithms(rpe, causal)
        return chosen | {name: ours(size, rpe, causal, name) for name in names}
    chosen["sdpa"] = softmax(None, causal)
    if rpe is not None:
        chosen["sdpa_rpe"] = softmax(rpe, causal)
    rival = None if causal else performer(size)
    if rival is not None:
        chosen["performer"] = rival
    return chosen | {"reference_fft": ours(size, rpe, causal, "reference_fft")}


def measure_rows(
    names: dict[str, Attend],
    lengths: list[int],
    size: int,
    rpe: RelativeBias | None,
    causal: bool,
    device: str,
    limits: Limits,
) -> list[Row]:
    """Measure length after length."""
    rows: list[Row] = []
    rate = product_rate(torch.device(device))
    for n in lengths:
        tensors = inputs(n, size, torch.device(device))
        usable = usable_algorithms(rpe, causal)
        auto = choose(usable, tensors[0], tensors[2], rpe, causal)
        row = Row(n, size, torch.get_num_threads(), auto, floor(n, size, rpe, causal, auto) / rate)
        before = {name: [(past.n, past.cells[name]) for past in rows] for name in names}
        ready = {name: f for name, f in names.items() if limits.allow(before[name], n)}
        row.cells = {name: Cell() for name in names} | measure(ready, tensors)
        rows.append(row)
    return rows


def floor(n: int, size: int, rpe: RelativeBias | None, causal: bool, auto: str) -> float:
    """Give the operations of the products of matrices in a forward and backward pass.

    A weighed key takes seven products of its d or m numbers (two forward, five backward), a far
    field eight of m·d for each query (two forward, two again and four backward) and features
    twice three of d·m.
    """
    near = 0.0 if auto == "scan" else min(n, keys(auto, n, size, size, _tail(rpe), causal))
    far = 0 if auto == "dense" else 8 * size * size
    return 2.0 * HEADS * n * (7 * near * size + far + 6 * size * size)


def _tail(rpe: RelativeBias | None) -> int | None:
    return 0 if rpe is None else rpe.tail


def product_rate(device: torch.device) -> float:
    """Give the operations of a millisecond in a large product of matrices."""
    x = torch.randn(1024, 1024, device=device)
    best = math.inf
    for _ in range(8):
        start = now(device)
        _ = x @ x
        best = min(best, now(device) - start)
    return 2 * 1024**3 / best / 1000


def table(rows: list[Row], rpe: str, causal: bool) -> Table:
    """Show one size and number of threads."""
    first = rows[0]
    kind = f"{rpe}, causal" if causal else rpe
    shown = Table(
        title=f"d = m = {first.d}, {first.threads} threads, relative positions: {kind}",
        caption="forward / forward + backward in ms (times ours), extra MB at the peak",
    )
    for name in ("n", "auto", "floor", *first.cells):
        shown.add_column(name, justify="right")
    for row in rows:
        cells = [_text(cell, row.cells["ours"]) for cell in row.cells.values()]
        shown.add_row(str(row.n), row.auto, f"{row.floor_ms:.0f}", *cells)
    return shown


def _text(cell: Cell, reference: Cell) -> str:
    if cell.both_ms is None:
        return "–"
    ratio = ""
    if cell is not reference and reference.both_ms:
        ratio = f" ({cell.both_ms / reference.both_ms:.2g}×)"
    return f"{cell.forward_ms:.0f} / {cell.both_ms:.0f}{ratio}, {cell.extra_mb:.0f}"


if __name__ == "__main__":
    cyclopts.run(main)
