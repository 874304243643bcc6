"""Runs LLVM's opt on a module and reads what its analyses print, function by function."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from benchmarks.parts.memory_accesses import MemoryAccesses, bare, read_memory_ssa

OLDEST = 19
_NAMES = ("opt-22", "opt-21", "opt-20", "opt-19", "opt")
_PASSES = "print<loops>,print<domtree>,print<postdomtree>,print<cycles>,print<memoryssa>"
_HEADING = re.compile(
    r"^(?P<analysis>Loop info|DominatorTree|PostDominatorTree|CycleInfo|MemorySSA) for function: ?"
    r"(?P<name>.*)$",
    re.MULTILINE,
)
_LABEL = r'%(?:"[^"]*"|[-\w$.]+)'
_LOOP = re.compile(r"^ *(?:Parallel )?Loop at depth (\d+) containing: (.*)$", re.MULTILINE)
_NODE = re.compile(rf"^ *\[(\d+)\] ({_LABEL}| <<exit node>>) ", re.MULTILINE)
_CYCLE = re.compile(r"^ *depth=\d+: entries\((.*?)\)(?: |$)", re.MULTILINE)
_PRINTED = re.compile(r"^; ()(?=\d+ = Memory|MemoryUse)")

Tree = dict[str, str | None]  # label → label of the parent, None at the root


@cache
def find_opt() -> str | None:
    """Return an opt of LLVM 19 or later: ``LLVM_OPT``, or the newest on the path; or None."""
    for name in filter(None, (os.environ.get("LLVM_OPT"), *_NAMES)):
        path = shutil.which(name)
        if path and (version(path) or 0) >= OLDEST:
            return path
    return None


def version(opt: str) -> int | None:
    """Return the major version of an opt."""
    said = subprocess.run([opt, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"LLVM version (\d+)", said)
    return int(found[1]) if found else None


@dataclass(slots=True)
class Printed:
    """What opt prints of one function; blocks are labels as LLVM prints them.

    Attributes:
        loops: for each loop, its header, its depth and its blocks.
        irreducible: the entries of each cycle that has several, separated by spaces.
    """

    name: str
    loops: set[tuple[str, int, frozenset[str]]] = field(default_factory=set)
    dominators: Tree = field(default_factory=dict)
    post_dominators: Tree = field(default_factory=dict)
    irreducible: list[str] = field(default_factory=list)
    memory: MemoryAccesses = field(default_factory=MemoryAccesses)


def run_opt(opt: str, text: str) -> list[Printed] | None:
    """Return what opt prints of each function with a body, in order; None if it refuses."""
    command = [opt, "-disable-output", "-aa-pipeline=basic-aa", f"-passes=function({_PASSES})"]
    ran = subprocess.run(
        [*command, "-"],
        input=text.encode("utf-8", "surrogateescape"),
        capture_output=True,
        timeout=900,
        check=False,
    )
    if ran.returncode:
        return None
    return list(_read(ran.stderr.decode("utf-8", "surrogateescape")))


def _read(said: str) -> Iterator[Printed]:
    """Split opt's output at the headings; each function begins with its loops."""
    said = said.replace("Loop info for function '", "Loop info for function: '")
    headings = [*_HEADING.finditer(said)]
    printed: Printed | None = None
    for heading, after in zip(headings, [*headings[1:], None], strict=False):
        section = said[heading.end() : after.start() if after else len(said)]
        if heading["analysis"] == "Loop info":
            if printed is not None:
                yield printed
            printed = Printed(heading["name"].removeprefix("'").removesuffix("':"))
        assert printed is not None
        _take_in(printed, heading["analysis"], section)
    if printed is not None:
        yield printed


def _take_in(printed: Printed, analysis: str, section: str) -> None:
    if analysis == "Loop info":
        printed.loops = {_loop(*found.groups()) for found in _LOOP.finditer(section)}
    elif analysis == "DominatorTree":
        printed.dominators = _tree(section)
    elif analysis == "PostDominatorTree":
        printed.post_dominators = _tree(section)
    elif analysis == "CycleInfo":
        known = {bare(label) for label in printed.dominators}
        entries = (found[1] for found in _CYCLE.finditer(section))
        printed.irreducible = [names for names in entries if names not in known]
    else:
        (printed.memory,) = read_memory_ssa(section, _PRINTED)


def _loop(depth: str, blocks: str) -> tuple[str, int, frozenset[str]]:
    labels = re.findall(_LABEL, blocks)
    return labels[0], int(depth), frozenset(labels)


def _tree(section: str) -> Tree:
    tree: Tree = {}
    path: list[str | None] = [None]
    for depth, label in _NODE.findall(section):
        here = None if label[0] != "%" else label
        del path[int(depth) :]
        if here is not None:
            tree[here] = path[-1]
        path.append(here)
    return tree
