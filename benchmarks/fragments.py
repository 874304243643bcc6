"""How many programs of a collection are lowered, after which repairs, and at which cost.

    python -m benchmarks.fragments poj104/train.jsonl.gz [--sample N] [--seed S] [--json FILE]

Only the way to IR is measured: finding what a program lacks and compiling it, in one process. CPU
times are this process's and its compilers'. The ratio is to the same compiler called the plain way
on the same program, for every 50th program.
"""

import json
import os
import random
import resource
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import cyclopts
from rich.table import Table

from ir_pipeline.errors import LoweringError, failure
from ir_pipeline.fragments.repair import Attempt
from ir_pipeline.limits import Limits
from ir_pipeline.lowering.frontend import Frontend
from ir_pipeline.lowering.precompiled import SHIM
from ir_pipeline.lowering.toolchain import find_toolchain
from ir_pipeline.sources.packed import Record, read_records
from oscar.commands.console import output


@dataclass
class Figures:
    """What became of a sample of programs; times are CPU seconds a program."""

    programs: int = 0
    lowered: int = 0
    repaired: int = 0
    seconds: float = 0.0
    plain_seconds: float = 0.0
    repairs: Counter[str] = field(default_factory=Counter)
    failures: dict[str, str] = field(default_factory=dict)


def main(
    collection: Path,
    *,
    sample: int = 2000,
    seed: int = 104,
    json_file: Annotated[Path | None, cyclopts.Parameter(name="--json")] = None,
) -> None:
    """Lower a sample and print one table.

    Args:
        collection: .jsonl or .jsonl.gz file with a `code` field.
        sample: number of programs, drawn without repetition.
        seed: chooses other programs.
        json_file: also write the figures here.
    """
    records = list(read_records(collection))
    picked = sorted(random.Random(seed).sample(range(len(records)), min(sample, len(records))))
    with tempfile.TemporaryDirectory() as scratch:
        frontend = Frontend(find_toolchain(), Limits(), Path(scratch))
        figures = measure(frontend, [records[i] for i in picked])
    output().print(table_of(figures))
    if json_file is not None:
        json_file.write_text(json.dumps(vars(figures), indent=2) + "\n")


def measure(frontend: Frontend, records: list[Record]) -> Figures:
    """Lowers the records one after the other."""
    # The precompiled headers are made once in the life of a cache.
    for code in ("int main() { cout << 1; }", "int main() { int new; }", "auto x = nullptr;"):
        frontend.compile_fragment(code)
    figures = Figures(programs=len(records))
    plain = []
    for i, record in enumerate(records):
        before = cpu_seconds()
        attempt = lower_one(frontend, record, figures)
        figures.seconds += cpu_seconds() - before
        if i % 50 == 0 and attempt is not None:
            plain.append(plain_seconds(frontend, attempt))
    figures.seconds /= max(len(records), 1)
    figures.plain_seconds = sum(plain) / max(len(plain), 1)
    return figures


def lower_one(frontend: Frontend, record: Record, figures: Figures) -> Attempt | None:
    """The attempt that worked, counted; None where none did."""
    if record.code is None:
        figures.failures[record.name] = record.fault
        return None
    try:
        _, attempt = frontend.compile_fragment(record.code)
    except LoweringError as error:
        figures.failures[record.name] = failure(record.name, error).message
        return None
    figures.lowered += 1
    figures.repaired += bool(attempt.repairs)
    figures.repairs.update(attempt.repairs)
    return attempt


def plain_seconds(frontend: Frontend, attempt: Attempt) -> float:
    """What the driver takes for the repaired program, without a precompiled header."""
    command = frontend.toolchain.command(attempt.language, "O0")
    name = f"plain.{'cpp' if attempt.language == 'c++' else 'c'}"
    (frontend.scratch / name).write_bytes(attempt.text)
    flags = (f"-std={attempt.std}", "-isystem", str(SHIM), "-S", "-emit-llvm", name, "-o", "x.ll")
    # zig would find the result of an earlier run in its cache.
    caches = {f"ZIG_{kind}_CACHE_DIR": str(frontend.scratch) for kind in ("GLOBAL", "LOCAL")}
    run = {"cwd": frontend.scratch, "env": {**os.environ, **caches}, "capture_output": True}
    before = cpu_seconds()
    subprocess.run([*command, *flags], check=True, **run)
    return cpu_seconds() - before


def cpu_seconds() -> float:
    """CPU time of this process and its children so far."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def table_of(figures: Figures) -> Table:
    """The figures for people."""
    table = Table("what", "number")
    table.columns[1].justify = "right"
    table.add_row("programs", f"{figures.programs:,}")
    share = figures.lowered / max(figures.programs, 1)
    table.add_row("lowered", f"{figures.lowered:,} ({share:.2%})")
    table.add_row("of these repaired", f"{figures.repaired:,}")
    for repair, number in figures.repairs.most_common():
        table.add_row(f"  {repair}", f"{number:,}")
    table.add_row("CPU ms a program", f"{1000 * figures.seconds:.0f}")
    table.add_row("CPU ms the plain way", f"{1000 * figures.plain_seconds:.0f}")
    for name, said in sorted(figures.failures.items()):
        table.add_row(f"failed: {name}", said[:60])
    return table


if __name__ == "__main__":
    cyclopts.run(main)
