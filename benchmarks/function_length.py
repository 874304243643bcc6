"""How time and memory of static analysis grow with the length of one function.

    python -m benchmarks.function_length [LENGTH ...]

Every length is analysed in a process of its own. Time is CPU time; memory is what the process
peaks at beyond what it held with the text of the function.
"""

import multiprocessing
import resource
import sys
import time
from collections.abc import Callable

import cyclopts
from rich.table import Table

from oscar.commands.console import output
from static_analysis import analyse

N_SLOTS = 64
PER_ROUND = 5  # instructions of each shape's rounds
LENGTHS = (20_000, 100_000, 400_000, 1_000_000)
_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes that ``ru_maxrss`` counts in


def main(*lengths: int) -> None:
    """Print one table.

    Args:
        lengths: how many instructions the functions have.
    """
    table = Table("instructions", title="One function, ever longer", title_justify="left")
    for shape in SHAPES:
        table.add_column(f"{shape}: µs / instruction", justify="right")
        table.add_column("kB / instruction", justify="right")
    context = multiprocessing.get_context("spawn")
    for length in lengths or LENGTHS:
        cells = []
        for shape in SHAPES:
            with context.Pool(1) as pool:
                seconds, peak = pool.apply(measure, (shape, length))
            cells += [f"{seconds * 1e6:.1f}", f"{peak / 1000:.2f}"]
        table.add_row(f"{length:,}", *cells)
    output().print(table)


def measure(shape: str, length: int) -> tuple[float, float]:
    """Return CPU seconds and peak bytes an instruction of analysing one function."""
    rounds = (SHAPES[shape](number) for number in range(length // PER_ROUND))
    slots = (f"  %s{slot} = alloca i32" for slot in range(N_SLOTS))
    header = "define void @f(i32 %a, i1 %c, ptr %p) {"
    text = "\n".join([header, *slots, *rounds, "  ret void", "}", ""])
    before = _peak()
    start = time.process_time()
    (function,) = analyse(text)
    seconds = time.process_time() - start
    instructions = len(function.instructions)
    return seconds / instructions, (_peak() - before) / instructions


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT


def straight_line(number: int) -> str:
    """Return instructions without branches: arithmetic on stack slots, elements and arguments."""
    slot = f"ptr %s{number % N_SLOTS}"
    return f"""\
  %l{number} = load i32, {slot}
  %n{number} = add nsw i32 %l{number}, {number % 9}
  store i32 %n{number}, {slot}
  %e{number} = getelementptr inbounds i32, ptr %p, i32 %n{number}
  store i32 %a, ptr %e{number}"""


def branches(number: int) -> str:
    """Return two blocks, of which the first may be skipped."""
    slot = f"ptr %s{number % N_SLOTS}"
    return f"""\
  br i1 %c, label %b{number}.a, label %b{number}.b

b{number}.a:
  store i32 {number % 9}, {slot}
  br label %b{number}.b

b{number}.b:
  %l{number} = load i32, {slot}
  %n{number} = add nsw i32 %l{number}, 1"""


SHAPES: dict[str, Callable[[int], str]] = {"straight line": straight_line, "branches": branches}

if __name__ == "__main__":
    cyclopts.run(main)
