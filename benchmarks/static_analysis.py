"""How long static analysis takes, beside what LLVM takes to parse and print the same modules.

    python -m benchmarks.static_analysis [MODULE.ll | MODULE.bc | SOURCE.c ...] [--json FILE]

Without sources: the programs of ``examples/``. The large module of the documentation is the
amalgamation of SQLite, ``sqlite3.c`` from https://sqlite.org/download.html. Times are CPU times
of one thread, the best of several rounds; a small module is read anew in every round.
"""

import gc
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, TypeVar

import cyclopts
import llvmlite.binding as llvm
from rich.table import Table

from ir_pipeline import lower
from oscar.commands.console import output
from static_analysis import analyse
from static_analysis.encoding.environment import Environment
from static_analysis.encoding.scene import ModuleContext, set_scene
from static_analysis.flow.cfg import control_flow
from static_analysis.flow.control_dependence import control_dependence
from static_analysis.flow.dominator_tree import DominatorTree
from static_analysis.flow.loops import find_loops
from static_analysis.flow.positions import positions
from static_analysis.reading.ir import Function
from static_analysis.reading.reader import read_module

EXAMPLES = Path(__file__).parents[1] / "examples"
Result = TypeVar("Result")


@dataclass
class Figures:
    """CPU seconds for a set of modules, and how large it is."""

    modules: int = 0
    functions: int = 0
    instructions: int = 0
    forms: int = 0
    reading: float = 0.0
    control_flow: float = 0.0
    memory: float = 0.0
    tokens: float = 0.0
    environment: float = 0.0
    whole: float = 0.0
    llvm: float = 0.0


STAGES = ("reading", "control_flow", "memory", "tokens", "environment")


def main(
    *sources: Path,
    opt: str = "O0",
    repeat: int = 3,
    json_file: Annotated[Path | None, cyclopts.Parameter(name="--json")] = None,
) -> None:
    """Measure and print one table.

    Args:
        sources: modules (.ll, .bc) or C and C++ sources.
        opt: optimisation level sources are compiled with.
        repeat: rounds, of which the fastest counts.
        json_file: also write the figures here.
    """
    files = sources or tuple(sorted(EXAMPLES.glob("*/*.c")))
    texts = [lower(path, opt) for path in files]
    rounds = [measure(texts) for _ in range(repeat)]
    best = min(rounds, key=lambda figures: figures.whole)
    best.llvm = min(figures.llvm for figures in rounds)
    title = files[0].name if len(files) == 1 else f"{len(files)} programs of {files[0].parents[1]}"
    output().print(table_of(best, f"{title} at {opt}"))
    if json_file is not None:
        json_file.write_text(json.dumps(asdict(best), indent=2) + "\n")


def measure(texts: list[str]) -> Figures:
    """Return the figures of one round over all modules."""
    found = Figures(modules=len(texts))
    for text in texts:
        found.llvm += timed(lambda text=text: str(llvm.parse_assembly(text)))[0]
        gc.collect()
        found.whole += timed(lambda text=text: analyse(text))[0]
        gc.collect()
        gc.disable()
        measure_stages(text, found)
        gc.enable()
    return found


def measure_stages(text: str, found: Figures) -> None:
    """Add what the parts of ``analyse`` take for one module."""
    seconds, module = timed(lambda: read_module(text))
    found.reading += seconds
    context = ModuleContext(module)
    encoder = Environment(context)
    for function in module.functions:
        found.functions += 1
        found.instructions += len(function.instructions)
        measure_function(context, encoder, function, found)
    found.forms += len(context.tokens)


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Return the CPU seconds some work takes, and its result."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def measure_function(
    context: ModuleContext, encoder: Environment, function: Function, found: Figures
) -> None:
    """Add what the parts of ``analyse`` take for one function, in their order."""
    seconds, scene = timed(lambda: set_scene(context, function))
    control_flow = timed(lambda: analyse_control(function))[0]
    found.control_flow += control_flow
    found.memory += max(seconds - control_flow, 0.0)
    found.tokens += timed(scene.tokens)[0]
    found.environment += timed(lambda: encoder.encode(scene))[0]
    found.environment += timed(lambda: positions(function, scene.graph))[0]


def analyse_control(function: Function) -> None:
    """Do what ``set_scene`` does before it comes to memory."""
    tree = DominatorTree(control_flow(function))
    control_dependence(function, tree, find_loops(tree))


def table_of(found: Figures, title: str) -> Table:
    """Return the table: each part's time an instruction and its share, then the comparison."""
    table = Table("part", title=f"Static analysis of {title}", title_justify="left")
    for heading in ("seconds", "µs / instruction", "share", "× LLVM"):
        table.add_column(heading, justify="right")

    def add(name: str, seconds: float, share: str = "", **style: bool) -> None:
        each = f"{seconds / max(found.instructions, 1) * 1e6:.2f}"
        ratio = f"{seconds / found.llvm:.2f}" if found.llvm else ""
        table.add_row(name, f"{seconds:.3f}", each, share, ratio, **style)

    parts = {stage: getattr(found, stage) for stage in STAGES}
    total = sum(parts.values()) or 1.0
    for stage, seconds in parts.items():
        last = stage == STAGES[-1]
        add(stage.replace("_", " "), seconds, f"{seconds / total:.0%}", end_section=last)
    add("analyse(), all of it", found.whole)
    add("LLVM: parse and print", found.llvm)
    table.caption = (
        f"{found.modules:,} modules, {found.functions:,} functions, {found.instructions:,} "
        f"instructions of {found.forms:,} forms; "
        f"{found.instructions / max(found.whole, 1e-9):,.0f} instructions a second"
    )
    return table


if __name__ == "__main__":
    cyclopts.run(main)
