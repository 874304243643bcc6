"""Walks up the definitions of LLVM's MemorySSA, and what surely holds of accesses on the way."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from benchmarks.parts.memory_accesses import ENTRY, MemoryAccesses, bare
from static_analysis.flow.dominator_tree import DominatorTree
from static_analysis.flow.loops import Loops
from static_analysis.reading.ir import Function

ENTRY_INDEX = -1
_NAME = r'[%@](?:"[^"]*"|[-\w$.]+)'
_SCALAR = r"(?P<type>i\d+|ptr|half|float|double)"
_LOAD = re.compile(rf"load (?:atomic |volatile )*{_SCALAR}, ptr (?P<pointer>{_NAME})")
_STORE = re.compile(  # not the pointer inside a constant expression: no bracket closes after it
    rf"store (?:atomic |volatile )*{_SCALAR} .*, ptr (?P<pointer>{_NAME})(?=,|$| )(?!.*\))"
)
_ADDRESS = re.compile(rf"getelementptr .*?, ptr (?P<base>{_NAME})(?P<indices>.*)")
_POINTER = re.compile(rf", ptr ({_NAME})(?=,|$| )")
_LIFETIME_START = re.compile(rf"@llvm\.lifetime\.start\.p0\(.*ptr [^%]*({_NAME})\)")
_ALLOCATES = re.compile(r"\bnoalias\b|@(?:malloc|calloc|realloc|aligned_alloc|_Znw\w|_Zna\w)\(")
_BITS = {"ptr": 64, "half": 16, "float": 32, "double": 64}


@dataclass
class MemoryChain:
    """A function with LLVM's MemorySSA of it; instructions are named by their index."""

    function: Function
    tree: DominatorTree
    loops: Loops
    llvm: MemoryAccesses

    @cached_property
    def block_of(self) -> list[int]:
        """The block of each instruction."""
        blocks = self.function.blocks
        return [n for n, block in enumerate(blocks) for _ in range(block.start, block.stop)]

    @cached_property
    def _definitions(self) -> dict[str, int]:
        return self.function.definitions()

    @cached_property
    def _defined_in(self) -> list[list[tuple[int, int]]]:
        """Instruction and number of each block's definitions, in order."""
        found: list[list[tuple[int, int]]] = [[] for _ in self.function.blocks]
        for number, (index, _) in self.llvm.definitions.items():
            found[self.block_of[index]].append((index, number))
        return [sorted(definitions) for definitions in found]

    @cached_property
    def _merge_at(self) -> dict[int, int]:
        """The number of the phi at the start of each block that has one."""
        return {block: number for number, (block, _) in self.llvm.merges.items()}

    @cached_property
    def _dead_labels(self) -> set[str]:
        """The labels of blocks that control cannot get to."""
        dead = set(range(len(self.function.blocks))) - set(self.tree.graph.preorder)
        return {bare(self.function.blocks[block].label) for block in dead}

    def text(self, index: int) -> str:
        """Return the text of an instruction."""
        return self.function.instructions[index].text

    def walk(self, start: int, stops_at: Callable[[int], bool] = lambda _: False) -> set[int]:
        """Return the instructions that define memory from an access upwards, up to some.

        ``ENTRY_INDEX`` is among them if a way up ends at what was there on entry.
        """
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
        return [number for label, number in incoming if label not in self._dead_labels]

    def in_effect(self, load: int) -> int:
        """Return the access in effect just before a load."""
        block = self.block_of[load]
        before = [number for index, number in self._defined_in[block] if index < load]
        while not before and block not in self._merge_at and self.tree.idoms[block] >= 0:
            block = self.tree.idoms[block]
            before = [number for _, number in self._defined_in[block]]
        return before[-1] if before else self._merge_at.get(block, ENTRY)

    def certainly(self, index: int, load: int) -> str:
        """Say whether an instruction surely writes (``must``) or ``renew``s what a load reads."""
        read = _LOAD.search(self.text(load))
        if read is None:
            return ""
        if self._stays(read["pointer"]) and self.overwrites(index, load):
            return "must"
        return "renew" if self._renews(index, read["pointer"]) else ""

    def overwrites(self, index: int, load: int) -> bool:
        """Say whether a store is to a load's very pointer and no smaller."""
        read, written = _LOAD.search(self.text(load)), _STORE.search(self.text(index))
        if read is None or written is None or written["pointer"] != read["pointer"]:
            return False
        return _bits(written) >= _bits(read)

    def _stays(self, pointer: str) -> bool:
        """Say whether a pointer is the same whenever it is looked at."""
        block = self.block_of[self._definitions[pointer]] if pointer in self._definitions else 0
        return self.loops.depth[block] == 0 and block not in self.loops.irreducible

    def _renews(self, index: int, pointer: str) -> bool:
        """Say whether an instruction makes the object a pointer points to anew."""
        base, _ = self._base(pointer)
        text = self.text(index)
        marked = _LIFETIME_START.search(text)
        allocated = self._definitions.get(base) == index and _ALLOCATES.search(text)
        return bool(allocated or (marked and marked[1] == base))

    def base(self, access: int) -> tuple[str, bool]:
        """Return what the address of a load or store is counted from, and if an index varies."""
        found = _POINTER.search(self.text(access))
        return self._base(found[1]) if found else ("", False)

    def _base(self, pointer: str) -> tuple[str, bool]:
        varies = False
        while pointer in self._definitions:
            found = _ADDRESS.search(self.text(self._definitions[pointer]))
            if found is None:
                break
            pointer = found["base"]
            varies = varies or "%" in found["indices"]
        return pointer, varies


def _bits(access: re.Match[str]) -> int:
    found = access["type"]
    return _BITS.get(found) or int(found[1:])
