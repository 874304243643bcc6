"""Sets our reaching stores of a load beside LLVM's MemorySSA, and says where and why they differ.

LLVM names the nearest access that may clobber a load; from there its definitions chain upwards.
Ours must hold every store that surely writes what is read and that some way up meets before any
store of ours, and must admit that memory is as before where a way up ends at the entry.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.parts.memory_accesses import ENTRY
from benchmarks.parts.memory_chain import ENTRY_INDEX, MemoryChain
from static_analysis.memory.model import ReachingStores

PROMISE = "LLVM believes !invariant.load and !invariant.group; ours reads no metadata"
VARYING = "an index varies, and LLVM proves by arithmetic that the places differ"
GLOBALS = "declared globals: ours allows that another module makes two names one"
CALL = "a call that LLVM knows not to write here"
STORE = "a store that LLVM knows not to write here"
ORDERING = "ours lets other threads write at any fence or ordered access"
BEHIND = "LLVM names a phi; ours asks of each definition behind it whether it writes here"
SPARED = "ours knows that what LLVM names does not write here: "
_CALLS = ("call", "invoke", "callbr")


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a load compares: ``equal``, ``finer``, ``coarser``, ``contradictory``, …, and why."""

    kind: str
    why: str = ""


def judge_loads(
    chain: MemoryChain, ours: dict[int, ReachingStores]
) -> Iterator[tuple[int, Verdict]]:
    """Yield each load of a function with its verdict."""
    reached = set(chain.tree.graph.preorder)
    for index, instruction in enumerate(chain.function.instructions):
        if instruction.opcode == "load":
            dead = chain.block_of[index] not in reached
            yield index, Verdict("dead") if dead else _judge(chain, index, ours.get(index))


def _judge(chain: MemoryChain, load: int, ours: ReachingStores | None) -> Verdict:
    nearest = chain.llvm.uses.get(load)
    if nearest is None:
        return Verdict("ordered")  # volatile and atomic loads are definitions to LLVM
    if ours is None:
        return Verdict("unknown")
    listed = set(ours.stores)
    missing = _missing(chain, load, nearest, ours)
    if missing and "!invariant." in chain.text(load):
        return Verdict("coarser", PROMISE)
    if missing:
        return Verdict("contradictory", missing)
    theirs = _theirs(chain, load, nearest)
    more = listed - theirs - _let_through(chain, load, nearest)
    if more:
        return Verdict("coarser", _why_coarser(chain, load, min(more)))
    fewer = theirs - listed
    if not fewer:
        return Verdict("equal")
    behind = nearest in chain.llvm.merges
    opcode = chain.function.instructions[min(fewer)].opcode
    return Verdict("finer", BEHIND if behind else SPARED + opcode)


def _missing(chain: MemoryChain, load: int, nearest: int, ours: ReachingStores) -> str:
    """Say what ours misses, or names though it cannot be; nothing if it is consistent."""
    listed = set(ours.stores)
    reached = chain.walk(nearest, lambda i: i in listed or chain.certainly(i, load) != "")
    certain = {index: chain.certainly(index, load) for index in reached - listed - {ENTRY_INDEX}}
    direct = chain.llvm.definitions.get(nearest, (ENTRY_INDEX, ENTRY))[0]
    for index, surely in certain.items():
        if surely == "must" or (index == direct and chain.overwrites(index, load)):
            return f"misses the store {chain.text(index)}"
    was_there_before = ENTRY_INDEX in reached or "renew" in certain.values()
    if was_there_before and not (ours.entry or ours.uninitialised):
        return "misses what was there before"
    if listed <= reached or listed <= chain.walk(chain.in_effect(load)):
        return ""
    return "names a store that does not come before"


def _theirs(chain: MemoryChain, load: int, nearest: int) -> set[int]:
    """Return LLVM's nearest clobber, or all that its phi brings together, as far as it writes."""
    if nearest == ENTRY:
        return set()
    if nearest in chain.llvm.merges:
        found = chain.walk(nearest, lambda i: chain.certainly(i, load) != "")
    else:
        found = {chain.llvm.definitions[nearest][0]}
    return {
        index
        for index in found - {ENTRY_INDEX}
        if "@llvm.lifetime" not in chain.text(index) and chain.certainly(index, load) != "renew"
    }


def _let_through(chain: MemoryChain, load: int, nearest: int) -> set[int]:
    """Return what stands behind a definition that may clobber a load, but need not."""
    if nearest == ENTRY or nearest in chain.llvm.merges:
        return set()
    index, before = chain.llvm.definitions[nearest]
    return set() if chain.certainly(index, load) else chain.walk(before)


def _why_coarser(chain: MemoryChain, load: int, more: int) -> str:
    opcode = chain.function.instructions[more].opcode
    if "!invariant." in chain.text(load):
        return PROMISE
    if opcode in _CALLS:
        return CALL
    if opcode != "store" or "atomic" in chain.text(more):
        return ORDERING
    (written, written_varies), (read, read_varies) = chain.base(more), chain.base(load)
    if written_varies or read_varies:
        return VARYING
    return GLOBALS if written[:1] == read[:1] == "@" and written != read else STORE
