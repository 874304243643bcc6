"""Sizes, alignments and offsets of types, as a module's ``target datalayout`` lays them out.

Rules and defaults: Language Reference, "Data Layout". A size nobody can know (scalable vectors,
opaque and target types, functions) is None, and so is what contains it.
"""

import re
from dataclasses import dataclass

from static_analysis.reading.types import (
    ArrayType,
    FloatType,
    IntegerType,
    PointerType,
    SimpleType,
    StructType,
    Type,
    VectorType,
)

_DEFAULTS = "p:64:64-i1:8-i8:8-i16:16-i32:32-i64:32-f16:16-f32:32-f64:64-f128:128-v64:64-v128:128"
_RULE = re.compile(r"([pifva])[a-z]*(\d*):(\d+)(?::(\d+))?")
_TILE_BYTES = 1024  # x86_amx


@dataclass(frozen=True, slots=True)
class Measure:
    """How a type lies in memory, in bytes.

    Attributes:
        bits: width of a value, without padding after it.
        size: bytes that a load or store touches.
        stride: distance between two neighbours in an array.
        alignment: what addresses are multiples of by default.
        offsets: where each field of a structure starts.
    """

    bits: int
    size: int
    stride: int
    alignment: int
    offsets: tuple[int, ...] = ()


class Layout:
    """Measures the types of one module, each once."""

    def __init__(self, datalayout: str) -> None:
        self._alignments: dict[str, dict[int, int]] = {kind: {} for kind in "ifv"}
        self._pointers: dict[int, tuple[int, int]] = {}  # address space → (bits, alignment)
        self._aggregate = 1
        self._known: dict[Type, Measure | None] = {}
        for rule in f"{_DEFAULTS}-{datalayout}".split("-"):
            self._take(rule)

    def _take(self, rule: str) -> None:
        found = _RULE.fullmatch(":".join(rule.split(":")[:3]))
        if found is None:
            return
        kind, width, first, second = found.groups()
        if kind == "p":
            self._pointers[int(width or 0)] = (int(first), max(int(second or first) // 8, 1))
        elif kind == "a":
            self._aggregate = max(int(first) // 8, 1)
        elif width:
            self._alignments[kind][int(width)] = max(int(first) // 8, 1)

    def pointer_bits(self, address_space: int) -> int:
        """Return the width of pointers into an address space."""
        return self._pointers.get(address_space, self._pointers[0])[0]

    def measure(self, wanted: Type) -> Measure | None:
        """Return how a type lies in memory, or None where that is not fixed.

        Inner types are measured first, from a stack: types may nest deeper than Python's calls.
        """
        work = [] if wanted in self._known else [wanted]
        begun: set[Type] = set()
        while work:
            at = work[-1]
            missing = [inner for inner in _inner(at) if inner not in self._known]
            if missing and at not in begun:
                begun.add(at)
                work += missing
            else:
                self._known[at] = self._measured(at)
                work.pop()
        return self._known[wanted]

    def size(self, wanted: Type) -> int | None:
        """Return the bytes that a load or store of a type touches."""
        measure = self.measure(wanted)
        return None if measure is None else measure.size

    def _measured(self, wanted: Type) -> Measure | None:
        """Measure a type whose inner types are known."""
        match wanted:
            case IntegerType(bits):
                return _scalar(bits, self._integer_alignment(bits))
            case FloatType(bits=bits):
                return _scalar(
                    bits, self._alignments["f"].get(bits) or _power_of_two(-(-bits // 8))
                )
            case PointerType(space):
                return _scalar(*self._pointers.get(space, self._pointers[0]))
            case SimpleType("x86_amx"):
                return _scalar(_TILE_BYTES * 8, 64)
            case ArrayType(count, element):
                one = self._known.get(element)
                return one and _whole(count * one.stride, one.alignment)
            case VectorType(count, element, scalable=False):
                lane = self._known.get(element)
                return lane and self._vector(count * lane.bits)
            case StructType():
                return self._struct(wanted)
        return None

    def _integer_alignment(self, bits: int) -> int:
        """Return the alignment given for this width, or for the next wider, or the widest."""
        given = self._alignments["i"]
        return given[min((width for width in given if width >= bits), default=max(given))]

    def _vector(self, bits: int) -> Measure:
        return _scalar(bits, self._alignments["v"].get(bits) or _power_of_two(-(-bits // 8)))

    def _struct(self, struct: StructType) -> Measure | None:
        """Lay fields one after the other, each at its alignment unless packed."""
        offsets, end, widest = [], 0, 1 if struct.packed else self._aggregate
        for field in struct.fields if struct.fields is not None else (struct,):
            measure = self._known.get(field)
            if measure is None:
                return None
            alignment = 1 if struct.packed else measure.alignment
            widest = max(widest, alignment)
            offsets.append(_aligned(end, alignment))
            end = offsets[-1] + measure.stride
        return _whole(_aligned(end, widest), widest, tuple(offsets))


def _inner(outer: Type) -> tuple[Type, ...]:
    """Return the types that have to be measured before this one."""
    if isinstance(outer, (ArrayType, VectorType)):
        return (outer.element,)
    return outer.fields or () if isinstance(outer, StructType) else ()


def _scalar(bits: int, alignment: int) -> Measure:
    size = -(-bits // 8)
    return Measure(bits, size, _aligned(size, alignment), alignment)


def _whole(size: int, alignment: int, offsets: tuple[int, ...] = ()) -> Measure:
    return Measure(size * 8, size, size, alignment, offsets)


def _aligned(at: int, alignment: int) -> int:
    return -(-at // alignment) * alignment


def _power_of_two(size: int) -> int:
    return 1 << max(size - 1, 0).bit_length()
