"""Compare our dominators, loops and reaching stores with what LLVM's opt says of the same modules.

    python -m benchmarks.llvm_agreement [MODULE.ll | SOURCE.c ...] [--json FILE]

Without sources: LLVM's own tests, its MemorySSA tests and zlib at -O0 and -O2. A C source is
compared at -O0 and -O2. Needs opt of LLVM 19 or later, on the path or in ``LLVM_OPT``.
"""

import argparse
import json
import sys
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.table import Table

from benchmarks.parts.clobbers import judge_loads
from benchmarks.parts.llvm_modules import data_folder, llvm_suites, read_with_llvm
from benchmarks.parts.memory_chain import MemoryChain
from benchmarks.parts.opt_output import Printed, Tree, find_opt, run_opt
from ir_pipeline import lower
from oscar.commands.console import output
from static_analysis.flow.cfg import control_flow
from static_analysis.flow.dominator_tree import DominatorTree
from static_analysis.flow.dominators import immediate_post_dominators
from static_analysis.flow.loops import Loops, find_loops
from static_analysis.memory.model import MemoryModel
from static_analysis.reading.ir import Function
from static_analysis.reading.reader import read_module

GRAPH_COLUMNS = (
    "modules",
    "refused_by_opt",
    "blocks",
    "dominators",
    "post_dominators",
    "loops",
    "loops_differ",
    "irreducible",
    "cycles",
)
LOAD_COLUMNS = ("loads", "equal", "finer", "coarser", "unknown", "ordered", "dead", "contradictory")


@dataclass
class Tally:
    """Figures of one suite.

    Attributes:
        counts: by name, those of ``GRAPH_COLUMNS`` and ``LOAD_COLUMNS`` among them.
        examples: for each difference (what, why), where one is.
        differences: how often each difference occurs.
    """

    counts: Counter[str] = field(default_factory=Counter)
    differences: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], str] = field(default_factory=dict)

    def differ(self, what: str, why: str, where: str) -> None:
        """Count a difference."""
        self.differences[what, why] += 1
        self.examples.setdefault((what, why), where)


def compare_module(text: str, opt: str, where: str, tally: Tally) -> None:
    """Compare a module, printed by LLVM, and add what is found to ``tally``."""
    printed = run_opt(opt, text)
    if printed is None:
        tally.counts["refused_by_opt"] += 1
        return
    module = read_module(text)
    memory = MemoryModel(module)
    tally.counts["modules"] += 1
    for function, llvm in zip(module.functions, printed, strict=True):
        tally.counts["functions"] += 1
        _compare_function(memory, function, llvm, f"{where} {function.name}", tally)


def _compare_function(
    model: MemoryModel, function: Function, llvm: Printed, where: str, tally: Tally
) -> None:
    graph = control_flow(function)
    tree = DominatorTree(graph)
    loops = find_loops(tree)
    labels = [block.label for block in function.blocks]
    tally.counts["blocks"] += len(labels)
    reached = {labels[block]: labels[tree.idoms[block]] for block in graph.preorder[1:]}
    _compare_trees({labels[0]: None, **reached}, llvm.dominators, "dominators", where, tally)
    above = [labels[to] if to >= 0 else None for to in immediate_post_dominators(graph)]
    ours = dict(zip(labels, above, strict=True))
    _compare_trees(ours, llvm.post_dominators, "post_dominators", where, tally)
    _compare_loops(loops, labels, llvm, where, tally)
    found = model.reaching_stores(function, tree)
    chain = MemoryChain(function, tree, loops, llvm.memory)
    for index, verdict in judge_loads(chain, found):
        tally.counts["loads"] += 1
        tally.counts[verdict.kind] += 1
        if verdict.why:
            tally.differ(verdict.kind, verdict.why, f"{where} instruction {index}")


def _compare_trees(ours: Tree, theirs: Tree, what: str, where: str, tally: Tally) -> None:
    for label in ours.keys() | theirs.keys():
        if ours.get(label, "") != theirs.get(label, ""):
            tally.counts[what] += 1
            tally.differ(what, "", f"{where} {label}")


def _compare_loops(
    loops: Loops, labels: list[str], llvm: Printed, where: str, tally: Tally
) -> None:
    blocks: dict[int, set[str]] = defaultdict(set)
    for block, header in enumerate(loops.innermost):
        while header >= 0:
            blocks[header].add(labels[block])
            header = loops.outer[header]
    ours = {(labels[h], loops.depth[h], frozenset(found)) for h, found in blocks.items()}
    tally.counts["loops"] += len(llvm.loops)
    for differing, _, _ in ours ^ llvm.loops:
        tally.counts["loops_differ"] += 1
        tally.differ("loops", "", f"{where} {differing}")
    tally.counts["irreducible"] += bool(llvm.irreducible)
    if bool(llvm.irreducible) != bool(loops.irreducible):
        tally.counts["cycles"] += 1
        tally.differ("cycles", "", where)


def suites(sources: list[Path]) -> Iterator[tuple[str, Iterable[tuple[str, str]]]]:
    """Yield the name and the modules (where from, text) of each suite asked for."""
    for source in sources:
        if source.suffix == ".ll":
            found = read_with_llvm([str(source)])
            yield source.name, [(source.name, module.text) for module in found]
        else:
            for level in ("O0", "O2"):
                yield f"{source.name} -{level}", [(source.name, lower(source, level))]
    if not sources:
        yield from _standard_suites(data_folder())


def _standard_suites(data: Path) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    with llvm_suites(data) as paths:
        modules = [(module.path, module.text) for module in read_with_llvm(paths)]
    for name, part in (("LLVM tests", "/llvm-tests/"), ("MemorySSA tests", "/llvm-memoryssa/")):
        yield name, [(path.split(part)[1], text) for path, text in modules if part in path]
    with TemporaryDirectory() as folder:
        with tarfile.open(next(data.glob("projects/zlib-*.tar.bz2"))) as archive:
            archive.extractall(folder, filter="data")
        files = sorted(Path(folder).glob("*/*.c"))
        for level in ("O0", "O2"):
            yield f"zlib -{level}", [(file.name, lower(file, level)) for file in files]


def compare(sources: list[Path], opt: str) -> dict[str, Tally]:
    """Compare all modules of the suites asked for; a tally for each suite."""
    tallies: dict[str, Tally] = {}
    for name, modules in suites(sources):
        tally = tallies[name] = Tally()
        for where, text in modules:
            compare_module(text, opt, where, tally)
    return tallies


def _table(title: str, tallies: dict[str, Tally], columns: Iterable[str]) -> Table:
    table = Table("suite", title=title)
    for column in columns:
        table.add_column(column.replace("_", " "), justify="right")
    for name, tally in tallies.items():
        table.add_row(name, *(f"{tally.counts[column]:,}" for column in columns))
    return table


def _differences(tallies: dict[str, Tally]) -> Table:
    table = Table("suite", "difference", "why", "times", "example", title="Differences")
    for name, tally in tallies.items():
        for (what, why), times in tally.differences.most_common():
            table.add_row(name, what, why, f"{times:,}", tally.examples[what, why])
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", type=Path, nargs="*", help="C sources and IR modules")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    options = parser.parse_args()
    opt = find_opt()
    if opt is None:
        sys.exit("no opt of LLVM 19 or later: install llvm-22 or say where it is in LLVM_OPT")
    tallies = compare(options.sources, opt)
    console = output()
    console.print(
        _table("Control flow: blocks and loops with another answer", tallies, GRAPH_COLUMNS)
    )
    console.print(_table("Loads: our reaching stores against MemorySSA", tallies, LOAD_COLUMNS))
    console.print(_differences(tallies))
    if options.json:
        figures = {name: dict(tally.counts) for name, tally in tallies.items()}
        options.json.write_text(json.dumps(figures, indent=2, sort_keys=True), encoding="utf-8")


if __name__ == "__main__":
    main()
