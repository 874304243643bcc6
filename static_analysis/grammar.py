"""The grammar of instructions: from lexemes to a form, opcode by opcode.

Source: Language Reference, "Instruction Reference", in the form LLVM 22 prints. Each function
here reads what stands after the opcode and returns the type of the result.
"""

from collections.abc import Callable, Sequence

from static_analysis import call_grammar
from static_analysis.draft import Draft
from static_analysis.form import HOLE, Form
from static_analysis.keywords import CASTS, FLAGS, OPCODES, TAIL_MARKS
from static_analysis.types import (
    TOKEN,
    VOID,
    ArrayType,
    StructType,
    Type,
    TypeTable,
    VectorType,
)

_MARKS = frozenset({"inalloca", "swifterror"})
_UNARY = ("fneg", "freeze")
_BINARY = (
    *("add", "fadd", "sub", "fsub", "mul", "fmul", "udiv", "sdiv", "fdiv", "urem", "srem", "frem"),
    *("shl", "lshr", "ashr", "and", "or", "xor"),
)


def parse_form(lexemes: Sequence[str], types: TypeTable) -> tuple[Form, list[int]]:
    """Read one instruction without its metadata; also return the places of its locals.

    Raises:
        UnknownOpcodeError: the opcode is none of LLVM 22.
        ValueError, IndexError: the instruction has not the form LLVM prints.
    """
    if HOLE in lexemes:
        raise ValueError("a local without a name")
    draft = Draft(lexemes, types)
    has_result = len(lexemes) > 2 and lexemes[1] == "="
    if has_result:
        draft.local()
        draft.expect("=")
    tail = draft.take() if draft.next in TAIL_MARKS else ""
    draft.opcode = draft.take()
    if draft.opcode not in OPCODES:
        raise UnknownOpcodeError(draft.opcode)
    draft.flags = draft.take_words(FLAGS)
    kind = _GRAMMAR[draft.opcode](draft) if not tail else call_grammar.call(draft, tail)
    return draft.form(has_result, kind), draft.locals


class UnknownOpcodeError(Exception):
    """A word that is no opcode of LLVM 22 where an opcode must stand."""


def _unary(read: Draft) -> Type:
    return read.operand().type


def _binary(read: Draft) -> Type:
    kind = read.operand().type
    read.expect(",")
    return read.value(kind).type


def _operands(read: Draft) -> list[Type]:
    """Read operands that each have their type, with commas between."""
    types = [read.operand().type]
    while read.accept(","):
        types.append(read.operand().type)
    return types


def _compare(read: Draft) -> Type:
    read.predicate = read.take()
    return read.types.vector_like(_binary(read), read.types.boolean())


def _cast(read: Draft) -> Type:
    read.operand()
    read.expect("to")
    return read.type()


def _select(read: Draft) -> Type:
    return _operands(read)[1]


def _extract_element(read: Draft) -> Type:
    vector = _operands(read)[0]
    return vector.element if isinstance(vector, VectorType) else VOID


def _insert_element(read: Draft) -> Type:
    return _operands(read)[0]


def _shuffle(read: Draft) -> Type:
    vector, _, mask = _operands(read)
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
    base, *indices = _operands(read)
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


_GRAMMAR: dict[str, Callable[[Draft], Type]] = {
    **dict.fromkeys(_UNARY, _unary),
    **dict.fromkeys(_BINARY, _binary),
    **dict.fromkeys(CASTS, _cast),
    "icmp": _compare,
    "fcmp": _compare,
    "select": _select,
    "extractelement": _extract_element,
    "insertelement": _insert_element,
    "shufflevector": _shuffle,
    "extractvalue": _extract_value,
    "insertvalue": _insert_value,
    "phi": _phi,
    "alloca": _alloca,
    "load": _load,
    "store": _store,
    "getelementptr": _address,
    "fence": _fence,
    "cmpxchg": _compare_exchange,
    "atomicrmw": _read_modify_write,
    "va_arg": _next_argument,
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
    "call": call_grammar.call,
    "invoke": call_grammar.invoke,
    "callbr": call_grammar.callbr,
}
