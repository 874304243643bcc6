"""The grammar of instructions that touch memory or compute addresses; see ``grammar``."""

from collections.abc import Callable

from static_analysis.reading.draft import Draft
from static_analysis.reading.types import VOID, Type, VectorType

_MARKS = frozenset({"inalloca", "swifterror"})


def _alloca(read: Draft) -> Type:
    read.flags += read.take_words(_MARKS)
    read.element = read.type()
    space = 0
    while read.accept(","):
        if read.accept("align"):
            read.alignment = int(read.take())
        elif read.accept("addrspace"):
            read.expect("(")
            space = int(read.take())
            read.expect(")")
        else:
            read.operand()
    return read.types.pointer(space)


def _load(read: Draft) -> Type:
    kind = read.type()
    read.expect(",")
    read.operand()
    read.access()
    return kind


def _store(read: Draft) -> Type:
    read.operand()
    read.expect(",")
    read.operand()
    read.access()
    return VOID


def _address(read: Draft) -> Type:
    read.element = read.type()
    read.expect(",")
    base, *indices = read.typed_operands()
    shape = next((kind for kind in indices if isinstance(kind, VectorType)), base)
    return base if isinstance(base, VectorType) else read.types.vector_like(shape, base)


def _fence(read: Draft) -> Type:
    read.access()
    return VOID


def _compare_exchange(read: Draft) -> Type:
    read.operand()
    read.expect(",")
    kind = read.operand().type
    read.expect(",")
    read.operand()
    read.access()
    return read.types.literal_struct(kind, read.types.boolean())


def _read_modify_write(read: Draft) -> Type:
    read.predicate = read.take()
    read.operand()
    read.expect(",")
    kind = read.operand().type
    read.access()
    return kind


def _next_argument(read: Draft) -> Type:
    read.operand()
    read.expect(",")
    return read.type()


MEMORY: dict[str, Callable[[Draft], Type]] = {
    "alloca": _alloca,
    "load": _load,
    "store": _store,
    "getelementptr": _address,
    "fence": _fence,
    "cmpxchg": _compare_exchange,
    "atomicrmw": _read_modify_write,
    "va_arg": _next_argument,
}
