"""What a load reads by its nearest memory version: the way of the original OSCAR, as a baseline.

All memory is one variable in SSA form, as in LLVM's MemorySSA: every store, atomic and writing
call makes a version of it. A load goes up from the version it sees past writes that plainly touch
another object or field, and past merges if all ways lead to one write. Where they do not, it takes
whatever wrote the versions merged, to any address. That is the original's fault: the set then
holds stores to other places and can miss the one that was read. Where the version is a call's or
the function's first one, the original says nothing; in a merge it leaves calls out, which is held
in its favour here: they count.
"""

from collections.abc import Callable
from dataclasses import dataclass

from static_analysis.flow.cfg import ControlFlow
from static_analysis.flow.dominators import immediate_dominators
from static_analysis.reading.form import Operand
from static_analysis.reading.ir import Function, Instruction, Module
from tests.static_analysis.oracle.check import Sources

_ENTRY = -1  # version of memory as the function finds it; that of a merge in block b is -2 - b
_WRITES = frozenset({"store", "atomicrmw", "cmpxchg", "fence", "va_arg"})
_CALLS = frozenset({"call", "invoke", "callbr"})
_READS = frozenset({"load", "atomicrmw", "cmpxchg"})
_ACCESSES = _READS | {"store"}
_UNWRITTEN = ("@llvm.lifetime.", "@llvm.dbg.", "@llvm.assume", "@llvm.experimental.noalias")


def nearest_versions(function: Function, module: Module, graph: ControlFlow) -> dict[int, Sources]:
    """Return what loads read by this rule; those it says nothing of are left out."""
    places = _Places(function, module)
    versions = _Versions(function, graph, places.writers)
    return {
        index: found
        for index, instruction in enumerate(function.instructions)
        if instruction.opcode in _READS and (found := versions.sources(index, places)) is not None
    }


@dataclass(frozen=True)
class _Place:
    """Where an access goes: what its address starts from, and the step from there if constant."""

    root: str
    identified: bool
    step: tuple[str, ...] | None


class _Places:
    """Where the accesses of a function go, as far as it is plain to see."""

    def __init__(self, function: Function, module: Module) -> None:
        self._instructions = function.instructions
        self._definitions = function.definitions()
        self.writers = {
            index
            for index, instruction in enumerate(function.instructions)
            if instruction.opcode in _WRITES
            or (instruction.opcode in _CALLS and _may_write(instruction, module))
        }
        self._private = self._find_private()

    def is_call(self, index: int) -> bool:
        """Say whether a writer is a call."""
        return self._instructions[index].opcode in _CALLS

    def differ(self, write: int, load: int) -> bool:
        """Say whether a write certainly leaves alone what a load reads."""
        read, written = self._accessed(load), self._accessed(write)
        if written is None:
            return read.root in self._private if read else False
        if read is None:
            return False
        if read.root != written.root:
            return read.identified and written.identified
        if read.step is None or written.step is None:
            return False
        return read.step != written.step and _same_shape(read.step, written.step)

    def _accessed(self, index: int) -> _Place | None:
        instruction = self._instructions[index]
        if instruction.opcode not in _ACCESSES:
            return None
        return self._place(instruction, instruction.form.operands[instruction.opcode == "store"])

    def _place(self, instruction: Instruction, operand: Operand) -> _Place | None:
        step: tuple[str, ...] | None = ()
        while operand.hole is not None:
            root = instruction.locals[operand.hole]
            maker = self._definitions.get(root)
            if maker is None or self._instructions[maker].opcode != "getelementptr":
                is_object = maker is not None and self._instructions[maker].opcode == "alloca"
                return _Place(root, is_object, step)
            instruction = self._instructions[maker]
            operand, *indices = instruction.form.operands
            constant = step == () and all(index.hole is None for index in indices)
            step = instruction.form.lexemes if constant else None
        name = operand.lexemes[0]
        return _Place(name, True, step) if name.startswith("@") else None

    def _find_private(self) -> set[str]:
        """Return the stack objects whose addresses go nowhere but into loads and stores."""
        private = {i.locals[0] for i in self._instructions if i.opcode == "alloca"}
        for instruction in self._instructions:
            for number, operand in enumerate(instruction.form.operands):
                is_address = number == (instruction.opcode == "store")
                if is_address and instruction.opcode in _ACCESSES | {"getelementptr"}:
                    continue
                place = self._place(instruction, operand)
                private.discard(place.root if place else "")
        return private


def _same_shape(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Say whether two steps differ in constant indices only."""
    return len(one) == len(other) and all(
        a == b or (a.isdecimal() and b.isdecimal()) for a, b in zip(one, other, strict=True)
    )


def _may_write(call: Instruction, module: Module) -> bool:
    details = call.form.call
    if details is None or details.callee.lexemes[0].startswith(_UNWRITTEN):
        return False
    memory = [group.get("memory") for group in module.groups_at(details)]
    return all(access is None or "write" in str(access) for access in memory)


class _Versions:
    """Memory as one variable in SSA form (Cytron et al. 1991)."""

    def __init__(self, function: Function, graph: ControlFlow, writers: set[int]) -> None:
        self.seen: dict[int, int] = {}  # the version before each instruction
        self._predecessors = graph.predecessors
        self._after: dict[int, int] = {}  # by block
        idoms = immediate_dominators(graph)
        merges = _merges(function, graph, idoms, writers)
        for number in graph.preorder:
            above = self._after[idoms[number]] if number else _ENTRY
            version = -2 - number if number in merges else above
            for index in range(function.blocks[number].start, function.blocks[number].stop):
                self.seen[index] = version
                version = index if index in writers else version
            self._after[number] = version

    def sources(self, load: int, places: _Places) -> Sources | None:
        """Return the writers of the nearest version that may concern a load, if it is told."""
        version = self._nearest(self.seen.get(load, _ENTRY), load, places)
        concerned = self._behind(version, lambda at: self._nearest(at, load, places))
        found = concerned if len(concerned) == 1 else self._behind(version, lambda at: at)
        if found == {_ENTRY} or (len(found) == 1 and places.is_call(min(found))):
            return None
        stores = tuple(sorted(at for at in found if at >= 0))
        at_entry = _ENTRY in found  # for a fresh object this means that nothing was written
        return Sources(stores, entry=at_entry, uninitialised=at_entry)

    def _nearest(self, version: int, load: int, places: _Places) -> int:
        while version >= 0 and places.differ(version, load):
            version = self.seen[version]
        return version

    def _behind(self, version: int, nearest: Callable[[int], int]) -> set[int]:
        """Return a version or, of a merge, the versions merged in the end, each by ``nearest``."""
        found, work = {version}, [version]
        while work:
            at = work.pop()
            if at < _ENTRY:
                fresh = set(map(nearest, self._merged(-2 - at))) - found
                found |= fresh
                work += fresh
        return {at for at in found if at >= _ENTRY}

    def _merged(self, block: int) -> set[int]:
        before = {self._after[b] for b in self._predecessors[block] if b in self._after}
        return before | {_ENTRY} if block == 0 else before


def _merges(
    function: Function, graph: ControlFlow, idoms: list[int], writers: set[int]
) -> set[int]:
    """Return the blocks where versions meet: the iterated dominance frontier of the writes."""
    frontiers: dict[int, set[int]] = {block: set() for block in graph.preorder}
    for block in graph.preorder:
        for above in graph.predecessors[block]:
            while above in frontiers and above != idoms[block]:
                frontiers[above].add(block)
                above = idoms[above]
    work = [
        number
        for number in graph.preorder
        if any(i in writers for i in range(*_span(function, number)))
    ]
    merges: set[int] = set()
    while work:
        fresh = frontiers[work.pop()] - merges
        merges |= fresh
        work += fresh
    return merges


def _span(function: Function, block: int) -> tuple[int, int]:
    return function.blocks[block].start, function.blocks[block].stop
