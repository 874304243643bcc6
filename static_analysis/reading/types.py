"""Types of LLVM IR as objects, one object per type of a module.

Two types of one module are equal exactly when they are the same object, so ``is`` compares them
and dictionaries may be keyed by them. Grammar: Language Reference, "Type System" (LLVM 22, whose
pointers are opaque, so that no type contains itself).
"""

from dataclasses import dataclass


class Type:
    """Any type; types of one module are compared with ``is``."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class SimpleType(Type):
    """A type without parts, by its word: void, label, token, metadata or x86_amx."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class IntegerType(Type):
    """``i32``; ``bits`` is its width."""

    bits: int


@dataclass(frozen=True, slots=True, eq=False)
class FloatType(Type):
    """``float``, ``x86_fp80``, …; ``bits`` is the width of a value without padding."""

    name: str
    bits: int


@dataclass(frozen=True, slots=True, eq=False)
class PointerType(Type):
    """``ptr`` or ``ptr addrspace(n)``."""

    address_space: int


@dataclass(frozen=True, slots=True, eq=False)
class ArrayType(Type):
    """``[count x element]``."""

    count: int
    element: Type


@dataclass(frozen=True, slots=True, eq=False)
class VectorType(Type):
    """``<count x element>``, or ``<vscale x count x element>`` where ``scalable``."""

    count: int
    element: Type
    scalable: bool


@dataclass(slots=True, eq=False)
class StructType(Type):
    """A structure, literal or named.

    Attributes:
        name: its lexeme (``%struct.node``); empty for a literal one.
        fields: None where the type is opaque, or its definition is not in the module.
        packed: whether fields follow each other without padding.
    """

    name: str
    fields: tuple[Type, ...] | None
    packed: bool


@dataclass(frozen=True, slots=True, eq=False)
class FunctionType(Type):
    """``result (parameters, ...)``; ``variadic`` says whether the dots are there."""

    result: Type
    parameters: tuple[Type, ...]
    variadic: bool


@dataclass(frozen=True, slots=True, eq=False)
class TargetType(Type):
    """``target("name", …)``; its name and arguments, types among them as objects."""

    arguments: tuple[Type | str, ...]


_SIMPLE: dict[str, Type] = {
    word: SimpleType(word) for word in ("void", "label", "token", "metadata", "x86_amx")
}
_FLOATS: dict[str, Type] = {
    word: FloatType(word, bits)
    for word, bits in (
        *(("half", 16), ("bfloat", 16), ("float", 32), ("double", 64)),
        *(("fp128", 128), ("x86_fp80", 80), ("ppc_fp128", 128)),
    )
}
VOID = _SIMPLE["void"]
TOKEN = _SIMPLE["token"]
METADATA = _SIMPLE["metadata"]
POINTER = PointerType(0)
# The types that are one word, but for integers.
WORDS = _SIMPLE | _FLOATS | {"ptr": POINTER}
