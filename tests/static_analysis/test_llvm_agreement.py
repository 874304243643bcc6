"""Control flow and reaching stores against LLVM: against opt, and against what its tests expect."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import llvm_agreement
from benchmarks.parts.clobbers import judge_loads
from benchmarks.parts.llvm_modules import read_with_llvm
from benchmarks.parts.memory_accesses import mark_accesses, memory_ssa_of_marked, without_marks
from benchmarks.parts.memory_chain import MemoryChain
from benchmarks.parts.opt_output import find_opt
from static_analysis.flow.cfg import control_flow
from static_analysis.flow.dominator_tree import DominatorTree
from static_analysis.flow.loops import find_loops
from static_analysis.memory.model import reaching_stores
from static_analysis.reading.reader import read_module

GRAPH_DIFFERENCES = ("dominators", "post_dominators", "loops_differ", "cycles")
# Tests that print the accesses of the very module they give, with no transformation before.
PRINTS_AS_GIVEN = re.compile(
    r"; RUN: opt .*-passes='print<memoryssa(-walker)?>(,verify<memoryssa>)?'"
)
EXPECTED = re.compile(r"\s*; *(?:CHECK|NOLIMIT)(?:-NEXT)?: *")

HARD = """
define i32 @f(i1 %c, ptr %p, i32 %n) {
  %a = alloca i32
  store i32 0, ptr %a
  switch i32 %n, label %outer [
    i32 1, label %endless
    i32 2, label %left
    i32 3, label %right
  ]

outer:
  store i32 1, ptr %a
  br label %"inner loop"

"inner loop":
  %x = load i32, ptr %a
  store i32 %x, ptr %p
  br i1 %c, label %"inner loop", label %latch

latch:
  br i1 %c, label %outer, label %left

left:
  store i32 2, ptr %a
  br i1 %c, label %right, label %out

right:
  br i1 %c, label %left, label %out

out:
  %y = load i32, ptr %a
  ret i32 %y

endless:
  br i1 %c, label %e1, label %e2

e1:
  br label %endless

e2:
  br label %e2

dead:
  %z = load i32, ptr %a
  br label %out
}
"""


@pytest.fixture(scope="module")
def opt():
    found = find_opt()
    if found is None:
        pytest.skip("no opt of LLVM 19 or later: install llvm-22 or say where it is in LLVM_OPT")
    return found


def assert_agreement(tally):
    assert not any(tally.counts[what] for what in GRAPH_DIFFERENCES), tally.examples
    assert not tally.counts["contradictory"], tally.examples


def test_a_function_with_every_kind_of_cycle(opt, tmp_path):
    source, figures = tmp_path / "hard.ll", tmp_path / "figures.json"
    source.write_text(HARD)
    subprocess.run(
        [sys.executable, "-m", "benchmarks.llvm_agreement", str(source), "--json", str(figures)],
        cwd=Path(__file__).parents[2],
        check=True,
        capture_output=True,
    )
    (counts,) = json.loads(figures.read_text()).values()
    assert counts["functions"] == 1
    assert counts["loops"] == 4
    assert counts["irreducible"] == 1
    assert counts["dead"] == 1
    assert not {*GRAPH_DIFFERENCES, "contradictory"} & counts.keys()


def test_memory_ssa_tests_against_opt(opt, data):
    tally = llvm_agreement.Tally()
    paths = [str(path) for path in sorted((data / "llvm-memoryssa").glob("*.ll"))]
    for module in read_with_llvm(paths):
        llvm_agreement.compare_module(module.text, opt, module.path, tally)
    assert tally.counts["modules"] > 30
    assert tally.counts["equal"] > 10
    assert_agreement(tally)


@pytest.mark.slow
def test_suites_against_opt(opt, data):
    tallies = llvm_agreement.compare([], opt)
    assert tallies["LLVM tests"].counts["modules"] > 700
    assert tallies["zlib -O0"].counts["loads"] > 9_000
    for tally in tallies.values():
        assert_agreement(tally)


def test_memory_ssa_tests_against_the_numbers_in_their_comments(data, tmp_path):
    marked = []
    for path in sorted((data / "llvm-memoryssa").glob("*.ll")):
        text = path.read_text()
        if PRINTS_AS_GIVEN.search(text):
            marked.append(tmp_path / path.name)
            marked[-1].write_text(mark_accesses(text, EXPECTED))
    kinds = [
        verdict.kind
        for module in read_with_llvm([str(path) for path in marked])
        for verdict in _verdicts(module.text)
    ]
    assert len(marked) > 12
    assert "contradictory" not in kinds
    assert kinds.count("equal") >= 6


def _verdicts(text):
    """Judge the loads of a module whose accesses are marked."""
    expected = memory_ssa_of_marked(text)
    module = read_module(without_marks(text))
    for function, accesses in zip(module.functions, expected, strict=True):
        if not _is_complete(accesses):
            continue
        graph = control_flow(function)
        tree = DominatorTree(graph)
        ours = reaching_stores(function, module, tree)
        loops = find_loops(tree)
        chain = MemoryChain(function, tree, loops, accesses)
        yield from (verdict for _, verdict in judge_loads(chain, ours))


def _is_complete(accesses):
    """Say whether every access that is named also has a number in some comment."""
    named = {number for _, number in accesses.definitions.values()} | set(accesses.uses.values())
    named |= {n for _, incoming in accesses.merges.values() for n in incoming.values()}
    return named <= {0, *accesses.definitions, *accesses.merges}
