"""The grammar of instructions: from lexemes to a form, opcode by opcode.

Source: Language Reference, "Instruction Reference", in the form LLVM 22 prints. For each opcode
a function of the grammar reads what stands after opcode and flags, and returns the type of the
result.
"""

from collections.abc import Sequence

from static_analysis.reading.call_grammar import CALLS, call
from static_analysis.reading.control_grammar import CONTROL
from static_analysis.reading.draft import Draft
from static_analysis.reading.form import HOLE, Form
from static_analysis.reading.keywords import FLAGS, TAIL_MARKS
from static_analysis.reading.memory_grammar import MEMORY
from static_analysis.reading.type_table import TypeTable
from static_analysis.reading.value_grammar import VALUES

_GRAMMAR = VALUES | MEMORY | CONTROL | CALLS
OPCODES = frozenset(_GRAMMAR)


class UnknownOpcodeError(Exception):
    """A word that is no opcode of LLVM 22 where an opcode must stand."""


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
    kind = call(draft, tail) if tail else _GRAMMAR[draft.opcode](draft)
    return draft.form(has_result, kind), draft.locals
