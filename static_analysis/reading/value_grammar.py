"""The grammar of instructions that compute values from values; see ``grammar``."""

from collections.abc import Callable

from static_analysis.reading.draft import Draft
from static_analysis.reading.keywords import CASTS
from static_analysis.reading.types import VOID, ArrayType, StructType, Type, VectorType

_UNARY = ("fneg", "freeze")
_BINARY = (
    *("add", "fadd", "sub", "fsub", "mul", "fmul", "udiv", "sdiv", "fdiv", "urem", "srem", "frem"),
    *("shl", "lshr", "ashr", "and", "or", "xor"),
)


def _unary(read: Draft) -> Type:
    return read.operand().type


def _binary(read: Draft) -> Type:
    kind = read.operand().type
    read.expect(",")
    return read.value(kind).type


def _compare(read: Draft) -> Type:
    read.predicate = read.take()
    return read.types.vector_like(_binary(read), read.types.boolean())


def _cast(read: Draft) -> Type:
    read.operand()
    read.expect("to")
    return read.type()


def _select(read: Draft) -> Type:
    return read.typed_operands()[1]


def _extract_element(read: Draft) -> Type:
    vector = read.typed_operands()[0]
    return vector.element if isinstance(vector, VectorType) else VOID


def _insert_element(read: Draft) -> Type:
    return read.typed_operands()[0]


def _shuffle(read: Draft) -> Type:
    vector, _, mask = read.typed_operands()
    return read.types.vector_like(mask, vector.element if isinstance(vector, VectorType) else VOID)


def _extract_value(read: Draft) -> Type:
    kind = read.operand().type
    _indices(read)
    for index in read.indices:
        if isinstance(kind, ArrayType):
            kind = kind.element
        elif isinstance(kind, StructType) and kind.fields:
            kind = kind.fields[index]
    return kind


def _insert_value(read: Draft) -> Type:
    kind = read.operand().type
    read.expect(",")
    read.operand()
    _indices(read)
    return kind


def _indices(read: Draft) -> None:
    while read.accept(","):
        read.indices.append(int(read.take()))


def _phi(read: Draft) -> Type:
    kind = read.type()
    while read.next:
        read.accept(",")
        read.expect("[")
        read.value(kind)
        read.expect(",")
        read.labels.append(read.local())
        read.expect("]")
    return kind


VALUES: dict[str, Callable[[Draft], Type]] = {
    **dict.fromkeys(_UNARY, _unary),
    **dict.fromkeys(_BINARY, _binary),
    **dict.fromkeys(CASTS, _cast),
    **dict.fromkeys(("icmp", "fcmp"), _compare),
    "select": _select,
    "extractelement": _extract_element,
    "insertelement": _insert_element,
    "shufflevector": _shuffle,
    "extractvalue": _extract_value,
    "insertvalue": _insert_value,
    "phi": _phi,
}
