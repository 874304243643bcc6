"""Runs LLVM's opt on a module and reads what its analyses print, function by function."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from static_analysis.reader import read_module

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
_ACCESS = re.compile(r"(?:\d+ = Memory(?:Def|Phi)|MemoryUse)\(.*\)")
_PRINTED = re.compile(r"^; ()(?=\d+ = Memory|MemoryUse)")
_MARK = "as memory ssa: "

Tree = dict[str, str | None]  # label → label of the parent, None at the root
ENTRY = 0  # MemorySSA's liveOnEntry


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
class MemoryAccesses:
    """LLVM's MemorySSA of a function; accesses have numbers, ``ENTRY`` is what was there before.

    Attributes:
        definitions: instruction and defining access of each definition.
        merges: block of each phi, and its incoming accesses by block, as ``bare`` labels.
        uses: for each instruction that only reads, the access that may clobber it.
    """

    definitions: dict[int, tuple[int, int]] = field(default_factory=dict)
    merges: dict[int, tuple[int, dict[str, int]]] = field(default_factory=dict)
    uses: dict[int, int] = field(default_factory=dict)


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


def mark_accesses(text: str, comment: re.Pattern[str]) -> str:
    """Turn comments with memory accesses into fences, which every reader of IR keeps in place.

    Args:
        text: IR with accesses in comments above the instruction, or the block, that they are of.
        comment: matches what stands before the access in such a line.
    """
    lines: list[str] = []
    held: list[str] = []
    for line in text.split("\n"):
        before = comment.match(line)
        access = _ACCESS.match(line, before.end()) if before else None
        if access:
            held.append(access[0].replace('"', "'"))
            continue
        if held and line[:1].isspace() and not re.match(r"\s*(;|%\S+ = phi |$)", line):
            lines += [f'  fence syncscope("{_MARK}{access}") seq_cst' for access in held]
            held = []
        lines.append(line)
    return "\n".join(lines)


def read_memory_ssa(text: str, comment: re.Pattern[str]) -> list[MemoryAccesses]:
    """Return the accesses that stand in the comments of each function; see ``mark_accesses``."""
    return memory_ssa_of_marked(mark_accesses(text, comment))


def memory_ssa_of_marked(text: str) -> list[MemoryAccesses]:
    """Return the accesses of each function of a text that ``mark_accesses`` made."""
    found = []
    for function in read_module(text).functions:
        accesses = MemoryAccesses()
        index = 0
        for number, block in enumerate(function.blocks):
            for instruction in function.instructions[block.start : block.stop]:
                if _MARK in instruction.text:
                    text_of_access = instruction.text.split(_MARK)[1].rpartition('"')[0]
                    _take_access(accesses, text_of_access, index, number)
                else:
                    index += 1
        found.append(accesses)
    return found


def _take_access(accesses: MemoryAccesses, text: str, index: int, block: int) -> None:
    """Take in one access of the instruction at ``index`` or, if it is a phi, of ``block``."""
    head, _, inside = text.partition("(")
    inside = inside[: inside.rindex(")")] if "Phi" in head else inside[: inside.index(")")]
    if "Use" in head:
        accesses.uses[index] = _number(inside)
    elif "Def" in head:
        accesses.definitions[int(head.split(" ")[0])] = index, _number(inside)
    else:
        pairs = (pair.rpartition(",") for pair in inside.strip("{}").split("},{"))
        incoming = {bare(label): _number(number) for label, _, number in pairs}
        accesses.merges[int(head.split(" ")[0])] = block, incoming


def _number(text: str) -> int:
    return ENTRY if text == "liveOnEntry" else int(text)


def bare(label: str) -> str:
    """Return a label without what its place in the text adds: sigil and quotes."""
    return label.removeprefix("%").strip("\"'")


def without_marks(text: str) -> str:
    """Take out again what ``mark_accesses`` put in."""
    return "\n".join(line for line in text.split("\n") if _MARK not in line)
