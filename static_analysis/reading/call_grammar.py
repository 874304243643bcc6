"""The grammar of ``call``, ``invoke`` and ``callbr``; see ``grammar``."""

from collections.abc import Callable

from static_analysis.reading.draft import Draft
from static_analysis.reading.form import Call, Operand
from static_analysis.reading.types import FunctionType, Type


def call(read: Draft, tail: str = "") -> Type:
    """Read ``call`` after its flags; ``tail`` is the word before it, if any."""
    attributes = read.attributes()
    kind = read.type()
    callee = read.unkept(read.types.pointer())
    arguments, dots = _arguments(read)
    read.operands += arguments
    if not isinstance(kind, FunctionType):
        types = [argument.type for argument in arguments]
        kind = read.types.function(kind, types, dots)
    groups = []
    while read.next[:1] == "#":
        groups.append(read.take())
    read.call = Call(callee, kind, tail, attributes, tuple(groups), _bundles(read))
    return kind.result


def _arguments(read: Draft) -> tuple[list[Operand], bool]:
    """Read the arguments; the dots of a ``musttail`` call that passes on what follows last."""
    found, dots = [], False
    read.expect("(")
    while not read.accept(")"):
        if read.next == "...":
            read.take()
            dots = True
        else:
            found.append(read.argument())
        read.accept(",")
    return found, dots


def _bundles(read: Draft) -> tuple[tuple[str, tuple[Operand, ...]], ...]:
    """Read operand bundles: ``[ "tag"(i32 1, ptr %p), … ]``."""
    found = []
    if read.accept("["):
        while not read.accept("]"):
            tag = read.take()
            operands, _ = _arguments(read)
            found.append((tag, tuple(operands)))
            read.accept(",")
    return tuple(found)


def _invoke(read: Draft) -> Type:
    """Read ``invoke``: a call, then where control goes when it returns or throws."""
    kind = call(read)
    read.expect("to")
    read.label()
    read.expect("unwind")
    read.label()
    return kind


def _callbr(read: Draft) -> Type:
    """Read ``callbr``: a call, then where control may go from inside the assembly."""
    kind = call(read)
    read.expect("to")
    read.label()
    read.listed_labels()
    return kind


CALLS: dict[str, Callable[[Draft], Type]] = {"call": call, "invoke": _invoke, "callbr": _callbr}
