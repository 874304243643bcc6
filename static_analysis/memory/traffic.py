"""What a function does to memory: where each instruction reads and what it may write."""

from dataclasses import dataclass, field

from static_analysis.memory.origins import NOTHING, Location, Origin


@dataclass(slots=True)
class Write:
    """What an instruction may write.

    Attributes:
        targets: where.
        definite: whether it certainly writes all of its only target.
        kinds: kinds of shared memory it may write besides.
        makes: an object that begins a new life here.
        is_fresh: whether that object is new without having been written.
    """

    targets: tuple[Location, ...] = ()
    definite: bool = False
    kinds: int = NOTHING
    makes: Origin | None = None
    is_fresh: bool = False


@dataclass(slots=True)
class Traffic:
    """The memory traffic of a function, register slots left out.

    Attributes:
        order: for each block, the instructions that read or write, in order.
        reads: where each of them reads.
        writes: what each of them may write.
        ordered: reads that are volatile or atomic.
        objects: objects that are made here.
        choices: origins of pointers that are chosen among others, for ``choices`` to look into.
        escaping: origins of pointers that others may know.
        returns_twice: whether a call may return twice: control takes edges then that no graph
            shows.
    """

    order: list[list[int]]
    reads: dict[int, Location] = field(default_factory=dict)
    writes: dict[int, Write] = field(default_factory=dict)
    ordered: set[int] = field(default_factory=set)
    objects: list[Origin] = field(default_factory=list)
    choices: list[Origin] = field(default_factory=list)
    escaping: list[Origin] = field(default_factory=list)
    returns_twice: bool = False
