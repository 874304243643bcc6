"""What instructions do to pointers and memory, whatever their locals are.

A pointer an instruction works on is referred to by the place of the local it is among the
instruction's locals, or, where it is a constant, by its address.
"""

from dataclasses import dataclass

from static_analysis.memory.origins import Address
from static_analysis.reading.form import Operand
from static_analysis.reading.types import Type

Reference = int | Address


@dataclass(frozen=True, slots=True)
class Slot:
    """``alloca`` of so many bytes; ``type`` is None unless it is room for one value."""

    size: int | None
    type: Type | None


@dataclass(frozen=True, slots=True)
class Load:
    """``load``; ``ordered`` if volatile or atomic, ``synchronises`` if others' writes come in."""

    pointer: Reference
    type: Type
    size: int | None
    gives_pointer: bool
    ordered: bool
    synchronises: bool


@dataclass(frozen=True, slots=True)
class Store:
    """``store``; ``stored`` is the value if it is a pointer."""

    pointer: Reference
    type: Type
    size: int | None
    value: Operand
    stored: Reference | None
    synchronises: bool


@dataclass(frozen=True, slots=True)
class Exchange:
    """``atomicrmw``, which always writes, and ``cmpxchg``, which may."""

    pointer: Reference
    size: int | None
    stored: tuple[Reference, ...]
    gives_pointer: bool
    always: bool
    synchronises: bool


@dataclass(frozen=True, slots=True)
class Step:
    """``getelementptr`` of one pointer.

    Attributes:
        base: where it starts.
        offset: the constant bytes added.
        steps: (local, its bits, whether these are extended to a pointer's, bytes) for each
            variable index; None where the result may be anywhere.
        wraps: whether an index times its bytes may exceed a pointer's range.
        bits: width of the pointer.
    """

    base: Reference
    offset: int
    steps: tuple[tuple[int, int, bool, int], ...] | None
    wraps: bool
    bits: int


@dataclass(frozen=True, slots=True)
class Copy:
    """A pointer under another name."""

    pointer: Reference


@dataclass(frozen=True, slots=True)
class Choice:
    """``phi`` or ``select`` of pointers."""

    pointers: tuple[Reference, ...]


@dataclass(frozen=True, slots=True)
class Escape:
    """Anything else that pointers go into, or that a pointer comes out of.

    Attributes:
        pointers: those that others may know afterwards.
        gives_pointer: whether the result is one.
        writes: whether it may write all memory that others may know.
    """

    pointers: tuple[Reference, ...]
    gives_pointer: bool
    writes: bool


@dataclass(frozen=True, slots=True)
class Argument:
    """A pointer passed to a call.

    Attributes:
        pointer: what refers to it.
        captured: whether others may know it afterwards.
        written: whether memory may be written through it.
        length: bytes from there on that are written certainly, and no others; None if unknown.
    """

    pointer: Reference
    captured: bool
    written: bool
    length: int | None


@dataclass(frozen=True, slots=True)
class CallEffect:
    """What a call does to memory.

    Attributes:
        writes: kinds of shared memory it may write, other than through its arguments.
        arguments: the pointers passed to it that it may write through or let others know.
        gives: ``pointer``, ``fresh`` or ``made`` (new memory, empty or written by the call),
            ``same`` or ``near`` (its result points to what ``origin`` does, or somewhere in the
            same object), ``start`` or ``end`` (of the lifetime of ``origin``), else empty.
        origin: the pointer passed to it that ``gives`` speaks of.
        source: what it copies to its first argument, and how many bytes.
        returns_twice: whether control may come out of it again later.
        stream: the stream it works on, whose buffer may be the program's.
    """

    writes: int
    arguments: tuple[Argument, ...]
    gives: str
    origin: Reference | None
    source: tuple[Reference, int] | None
    returns_twice: bool
    stream: Reference | None


Action = Slot | Load | Store | Exchange | Step | Copy | Choice | Escape | CallEffect
