"""How instructions of each form are encoded: worked out once a form and module."""

from dataclasses import dataclass

from static_analysis import encode_control, encode_memory, encode_values
from static_analysis.callees import Callees
from static_analysis.encode_calls import call_pieces
from static_analysis.form import Form
from static_analysis.keywords import CALLS
from static_analysis.scene import ModuleContext
from static_analysis.template import Template

_ENCODERS = encode_values.ENCODERS | encode_memory.ENCODERS | encode_control.ENCODERS
_READING = frozenset({"load", "atomicrmw", "cmpxchg"})
_WRITING = frozenset({"store", "atomicrmw", "cmpxchg", "va_arg"})


@dataclass(frozen=True, slots=True)
class Plan:
    """What is known of a form.

    Attributes:
        effect: the tokens after the colon, as far as the form tells.
        writes: whether instructions of the form may write memory that this program reads; the
            version they define stands before ``<-``, after the result if there is one.
        reads: whether they read memory at their pointer.
    """

    effect: Template
    writes: bool
    reads: bool


class Plans(dict[Form, Plan]):
    """The plans of one module, each made when first asked for."""

    def __init__(self, context: ModuleContext) -> None:
        super().__init__()
        self._dictionary = context.dictionary
        self._callees = Callees(context.module)

    def __missing__(self, form: Form) -> Plan:
        plan = self[form] = self._plan(form)
        return plan

    def _plan(self, form: Form) -> Plan:
        if form.opcode in CALLS:
            pieces = call_pieces(form, self._dictionary, self._callees)
            writes = self._callees.may_write(form)
        else:
            encode = _ENCODERS.get(form.opcode, encode_values.operation)
            pieces = encode(form, self._dictionary)
            writes = form.opcode in _WRITING
        if form.has_result or writes:
            pieces = [*[0] * form.has_result, "<-", *pieces]
        return Plan(Template.of(pieces), writes, form.opcode in _READING)
