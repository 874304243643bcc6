"""Sets our reaching stores of a load beside LLVM's MemorySSA, and says where they differ.

LLVM names the nearest access that may clobber a load; from there its definitions chain upwards.
Ours must hold every store that surely writes what is read and that some way up meets before any
store of ours (a *must*), and must admit that memory is as on entry where a way up ends there.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from benchmarks.opt_output import ENTRY, MemoryAccesses, bare
from static_analysis.cfg import ControlFlow
from static_analysis.ir import Function
from static_analysis.loops import Loops
from static_analysis.memory import ReachingStores

_NAME = r'[%@](?:"[^"]*"|[-\w$.]+)'
_SCALAR = r"(?P<type>i\d+|ptr|half|float|double)"
_LOAD = re.compile(rf"load (?:atomic |volatile )*{_SCALAR}, ptr (?P<pointer>{_NAME})")
_STORE = re.compile(rf"store (?:atomic |volatile )*{_SCALAR} .*, ptr (?P<pointer>{_NAME})(?=,|$| )")
_BASE = re.compile(rf"getelementptr .*?, ptr ({_NAME})(?=,|$)")
_LIFETIME_START = re.compile(rf"@llvm\.lifetime\.start\.p0\(.*ptr [^%]*({_NAME})\)")
_BITS = {"ptr": 64, "half": 16, "float": 32, "double": 64}
_READING = ("load", "fence", "lifetime")
ENTRY_INDEX = -1


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a load compares: ``equal``, ``finer``, ``coarser``, ``contradictory``, …, and why."""

    kind: str
    why: str = ""


@dataclass
class FunctionMemory:
    """One function's loads, ours and LLVM's."""

    function: Function
    graph: ControlFlow
    idoms: list[int]
    loops: Loops
    ours: dict[int, ReachingStores]
    llvm: MemoryAccesses

    @cached_property
    def block_of(self) -> list[int]:
        """The block of each instruction."""
        blocks = self.function.blocks
        return [n for n, block in enumerate(blocks) for _ in range(block.start, block.stop)]

    @cached_property
    def definitions(self) -> dict[str, int]:
        """The instruction that defines each local."""
        return self.function.definitions()

    @cached_property
    def defined_in(self) -> list[list[tuple[int, int]]]:
        """Instruction and number of each block's definitions, in order."""
        found: list[list[tuple[int, int]]] = [[] for _ in self.function.blocks]
        for number, (index, _) in self.llvm.definitions.items():
            found[self.block_of[index]].append((index, number))
        return [sorted(definitions) for definitions in found]

    @cached_property
    def merge_at(self) -> dict[int, int]:
        """The number of the phi at the start of each block that has one."""
        return {block: number for number, (block, _) in self.llvm.merges.items()}

    @cached_property
    def dead_labels(self) -> set[str]:
        """The labels of blocks that control cannot get to."""
        dead = set(range(len(self.function.blocks))) - set(self.graph.preorder)
        return {bare(self.function.blocks[block].label) for block in dead}

    def verdicts(self) -> Iterator[tuple[int, Verdict]]:
        """Judge every load of the function."""
        reached = set(self.graph.preorder)
        for index, instruction in enumerate(self.function.instructions):
            if instruction.opcode == "load":
                dead = self.block_of[index] not in reached
                yield index, Verdict("dead") if dead else self._judge(index)

    def _judge(self, load: int) -> Verdict:
        nearest = self.llvm.uses.get(load)
        if nearest is None:
            return Verdict("ordered")  # volatile and atomic loads are definitions to LLVM
        ours = self.ours.get(load)
        if ours is None:
            return Verdict("unknown")
        return self._contradiction(load, nearest, ours) or self._difference(load, nearest, ours)

    def _contradiction(self, load: int, nearest: int, ours: ReachingStores) -> Verdict | None:
        listed = set(ours.stores)
        reached = self._walk(nearest, lambda i: i in listed or self._certain(i, load) != "")
        certain = {index: self._certain(index, load) for index in reached - listed - {ENTRY_INDEX}}
        direct = self.llvm.definitions.get(nearest, (ENTRY_INDEX, ENTRY))[0]
        for index, surely in certain.items():
            if surely == "must" or (index == direct and self._overwrites(index, load)):
                return Verdict("contradictory", f"misses instruction {index}")
        if ENTRY_INDEX in reached or "renew" in certain.values():
            if not (getattr(ours, "entry", False) or ours.uninitialised):
                return Verdict("contradictory", "misses what was there before")
        if not listed <= reached and not listed <= self._walk(
            self._in_effect(load), lambda _: False
        ):
            return Verdict("contradictory", "names a store that does not come before")
        return None

    def _difference(self, load: int, nearest: int, ours: ReachingStores) -> Verdict:
        """Compare with LLVM's nearest clobber, or with all that its phi brings together."""
        theirs = {nearest}
        if nearest in self.llvm.merges:
            theirs = self._walk(nearest, lambda i: self._certain(i, load) != "")
        elif nearest != ENTRY:
            theirs = {self.llvm.definitions[nearest][0]}
        else:
            theirs = {ENTRY_INDEX}
        written = {i for i in theirs if i != ENTRY_INDEX and self._writes(i, load)}
        more = set(ours.stores) - written - self._behind(nearest, load)
        if more:
            return Verdict("coarser", self._kind(min(more)))
        fewer = written - set(ours.stores)
        return Verdict("finer", self._kind(min(fewer))) if fewer else Verdict("equal")

    def _behind(self, nearest: int, load: int) -> set[int]:
        """Return what a definition that only may clobber lets through."""
        if nearest == ENTRY or nearest in self.llvm.merges:
            return set()
        index, before = self.llvm.definitions[nearest]
        return set() if self._certain(index, load) else self._walk(before, lambda _: False)

    def _walk(self, start: int, stops_at: Callable[[int], bool]) -> set[int]:
        """Return the instructions of the definitions from an access upwards, up to some."""
        found, seen, work = set(), {start}, [start]
        while work:
            number = work.pop()
            if number == ENTRY:
                found.add(ENTRY_INDEX)
                continue
            if number in self.llvm.merges:
                above = self._incoming(number)
            else:
                index, before = self.llvm.definitions[number]
                found.add(index)
                above = [] if stops_at(index) else [before]
            work.extend(set(above) - seen)
            seen.update(above)
        return found

    def _incoming(self, merge: int) -> list[int]:
        """Return what a phi brings together, from blocks that control can get to."""
        incoming = self.llvm.merges[merge][1].items()
        return [number for label, number in incoming if label not in self.dead_labels]

    def _in_effect(self, load: int) -> int:
        """Return the access in effect just before a load."""
        block = self.block_of[load]
        before = [number for index, number in self.defined_in[block] if index < load]
        while not before and block not in self.merge_at and self.idoms[block] >= 0:
            block = self.idoms[block]
            before = [number for _, number in self.defined_in[block]]
        return before[-1] if before else self.merge_at.get(block, ENTRY)

    def _certain(self, index: int, load: int) -> str:
        """Say whether an instruction surely writes (``must``) or ``renew``s what a load reads."""
        read = _LOAD.search(self.function.instructions[load].text)
        if read is None:
            return ""
        if self._stays(read["pointer"]) and self._overwrites(index, load):
            return "must"
        return "renew" if self._renews(index, read["pointer"]) else ""

    def _overwrites(self, index: int, load: int) -> bool:
        """Say whether a store is to a load's very pointer and no smaller."""
        read = _LOAD.search(self.function.instructions[load].text)
        written = _STORE.search(self.function.instructions[index].text)
        if read is None or written is None or written["pointer"] != read["pointer"]:
            return False
        return _bits(written) >= _bits(read)

    def _stays(self, pointer: str) -> bool:
        """Say whether a pointer is the same whenever it is looked at."""
        block = self.block_of[self.definitions[pointer]] if pointer in self.definitions else 0
        return self.loops.depth[block] == 0 and block not in self.loops.irreducible

    def _renews(self, index: int, pointer: str) -> bool:
        """Say whether an instruction makes the object a pointer points to anew."""
        base = self._base(pointer)
        marked = _LIFETIME_START.search(self.function.instructions[index].text)
        return self.definitions.get(base) == index or bool(marked and marked[1] == base)

    def _base(self, pointer: str) -> str:
        while pointer in self.definitions:
            found = _BASE.search(self.function.instructions[self.definitions[pointer]].text)
            if found is None:
                break
            pointer = found[1]
        return pointer

    def _writes(self, index: int, load: int) -> bool:
        return self._kind(index) not in _READING and self._certain(index, load) != "renew"

    def _kind(self, index: int) -> str:
        instruction = self.function.instructions[index]
        if "@llvm.lifetime" in instruction.text:
            return "lifetime"
        return instruction.opcode


def _bits(access: re.Match[str]) -> int:
    found = access["type"]
    return _BITS.get(found) or int(found[1:])
