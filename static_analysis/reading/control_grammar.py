"""The grammar of terminators and of the pads of exception handling; see ``grammar``."""

from collections.abc import Callable

from static_analysis.reading.draft import Draft
from static_analysis.reading.types import TOKEN, VOID, Type


def _return(read: Draft) -> Type:
    if not read.accept("void"):
        read.operand()
    return VOID


def _branch(read: Draft) -> Type:
    if read.next == "label":
        read.label()
    else:
        read.operand()
        for _ in range(2):
            read.expect(",")
            read.label()
    return VOID


def _switch(read: Draft) -> Type:
    read.operand()
    read.expect(",")
    read.label()
    read.expect("[")
    while not read.accept("]"):
        read.operand()
        read.expect(",")
        read.label()
    return VOID


def _indirect_branch(read: Draft) -> Type:
    read.operand()
    read.expect(",")
    read.listed_labels()
    return VOID


def _resume(read: Draft) -> Type:
    read.operand()
    read.unwinds_to_caller = True
    return VOID


def _unreachable(read: Draft) -> Type:
    return VOID


def _landing_pad(read: Draft) -> Type:
    kind = read.type()
    cleanup = read.accept("cleanup")
    while read.next:
        read.clauses.append(read.take())
        read.operand()
    read.clauses += ["cleanup"] * cleanup
    return kind


def _pad(read: Draft) -> Type:
    read.expect("within")
    read.value(TOKEN)
    read.expect("[")
    while not read.accept("]"):
        read.operands.append(read.argument())
        read.accept(",")
    return TOKEN


def _catch_switch(read: Draft) -> Type:
    read.expect("within")
    read.value(TOKEN)
    read.listed_labels()
    _unwind(read)
    return TOKEN


def _cleanup_return(read: Draft) -> Type:
    read.expect("from")
    read.value(TOKEN)
    _unwind(read)
    return VOID


def _unwind(read: Draft) -> None:
    read.expect("unwind")
    if read.accept("to"):
        read.expect("caller")
        read.unwinds_to_caller = True
    else:
        read.label()


def _catch_return(read: Draft) -> Type:
    read.expect("from")
    read.value(TOKEN)
    read.expect("to")
    read.label()
    return VOID


CONTROL: dict[str, Callable[[Draft], Type]] = {
    "ret": _return,
    "br": _branch,
    "switch": _switch,
    "indirectbr": _indirect_branch,
    "resume": _resume,
    "unreachable": _unreachable,
    "landingpad": _landing_pad,
    "catchpad": _pad,
    "cleanuppad": _pad,
    "catchswitch": _catch_switch,
    "cleanupret": _cleanup_return,
    "catchret": _catch_return,
}
