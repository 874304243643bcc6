"""Functions of a size that real programs have once in a while: cost grows with length only."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from static_analysis import analyse
from tests.static_analysis.large_constructs import (
    debug_lines,
    long_call,
    long_initialiser,
    long_name,
    long_phi,
    long_switch,
    nested_constant,
    nested_names,
    nested_type,
    wide_names,
)
from tests.static_analysis.large_graphs import (
    diamonds,
    giant_switch,
    many_exits,
    nested_loops,
    skipping,
    straight_line,
    unnatural_loops,
)
from tests.static_analysis.large_memory import (
    copies,
    elements,
    escaped_slots_and_calls,
    globals_in_loops,
    merged_pointers,
    unknown_pointers,
)

BYTES_PER_INSTRUCTION = 3_500


def seconds(text):
    started = time.process_time()
    functions = analyse(text)
    for function in functions:
        assert len(function.environment) == len(function.instructions)
    assert functions
    return time.process_time() - started


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shape", "size"),
    [
        (straight_line, 200_000),
        (many_exits, 50_000),
        (skipping, 50_000),
        (nested_loops, 50_000),
        (giant_switch, 50_000),
        (unnatural_loops, 50_000),
        (escaped_slots_and_calls, 20_000),
        (diamonds, 50_000),
        (elements, 30_000),
        (globals_in_loops, 20_000),
        (unknown_pointers, 40_000),
        (copies, 20_000),
        (merged_pointers, 20_000),
        (long_switch, 100_000),
        (long_call, 10_000),
        (long_phi, 20_000),
        (long_initialiser, 200_000),
        (debug_lines, 20_000),
        (nested_type, 5_000),
        (nested_names, 5_000),
        (wide_names, 5_000),
        (nested_constant, 5_000),
        (long_name, 5_000),
    ],
)
def test_time_grows_with_the_length(shape, size):
    small, large = seconds(shape(size // 4)), seconds(shape(size))
    assert large < 8 * small + 0.1, f"4 times the length took {large / small:.1f} times as long"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shape", "size"), [("straight_line", 1_000_000), ("elements", 30_000), ("diamonds", 50_000)]
)
def test_memory_grows_with_the_length(shape, size):
    """The analysis has a process of its own, so that its peak can be read."""
    program = (
        "import resource\n"
        "from static_analysis import analyse\n"
        f"from tests.static_analysis.test_scale import {shape}\n"
        "def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024\n"
        f"text = {shape}({size})\n"
        "before = peak()\n"
        "functions = analyse(text)\n"
        "print((peak() - before) / len(functions[0].instructions))"
    )
    root = Path(__file__).parents[2]
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True
    )
    assert float(ran.stdout) < BYTES_PER_INSTRUCTION
