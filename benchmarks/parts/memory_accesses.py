"""LLVM's MemorySSA, read from the comments in which LLVM prints it and its tests expect it."""

import re
from dataclasses import dataclass, field

from static_analysis.reading.reader import read_module

ENTRY = 0  # MemorySSA's liveOnEntry
_ACCESS = re.compile(r"(?:\d+ = Memory(?:Def|Phi)|MemoryUse)\(.*\)")
_MARK = "as memory ssa: "


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
