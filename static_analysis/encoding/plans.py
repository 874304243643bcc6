"""How instructions of each form are encoded: worked out once a form and module."""

from dataclasses import dataclass

from static_analysis.encoding import encode_control, encode_memory, encode_values
from static_analysis.encoding.call_words import CallWords
from static_analysis.encoding.encode_calls import call_pieces
from static_analysis.encoding.scene import ModuleContext
from static_analysis.reading.form import Form
from static_analysis.words.template import Template

_ENCODERS = encode_values.ENCODERS | encode_memory.ENCODERS | encode_control.ENCODERS
_READING = frozenset({"load", "atomicrmw", "cmpxchg"})
_WRITING = frozenset({"store", "atomicrmw", "cmpxchg", "va_arg"})
_ACCESSING = frozenset({"load", "fence", "catchpad", "cleanuppad"})  # pads run code of the library


@dataclass(frozen=True, slots=True)
class Plan:
    """What is known of a form.

    Attributes:
        effect: the tokens after the colon, as far as the form tells.
        has_result: whether the result stands first.
        defines: whether there is ``<-``.
        writes: whether instructions of the form may write memory that this program reads; the
            version they define then stands before ``<-``, after the result if there is one.
        reads: whether they read memory at their pointer.
        may_access: whether they may do either.
        branches: whether the effect is up to ``Branches`` instead.
    """

    effect: Template
    has_result: bool
    defines: bool
    writes: bool
    reads: bool
    may_access: bool
    branches: bool


class Plans(dict[Form, Plan]):
    """The plans of one module, each made when first asked for."""

    def __init__(self, context: ModuleContext) -> None:
        super().__init__()
        self._dictionary = context.dictionary
        self._call_words = CallWords(context.module, context.memory.callees)

    def __missing__(self, form: Form) -> Plan:
        plan = self[form] = self._plan(form)
        return plan

    def _plan(self, form: Form) -> Plan:
        call = form.call
        if call is not None:
            pieces = call_pieces(form, self._dictionary, self._call_words)
        else:
            encode = _ENCODERS.get(form.opcode, encode_values.operation)
            pieces = encode(form, self._dictionary)
        writes = self._call_words.may_write(call) if call else form.opcode in _WRITING
        defines = form.has_result or writes
        if defines:
            pieces = [*[0] * form.has_result, "<-", *pieces]
        return Plan(
            effect=Template.of(pieces),
            has_result=form.has_result,
            defines=defines,
            writes=writes,
            reads=form.opcode in _READING,
            may_access=writes or call is not None or form.opcode in _ACCESSING,
            branches=form.opcode in ("br", "switch"),
        )
