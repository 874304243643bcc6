"""Forms: what is common to instructions that differ only in their locals.

A module has few forms: most loads, stores, branches and calls repeat one that has been seen,
with other locals. Whatever follows from the form alone is worked out once and looked up after
that; a form is one object per module and is compared by identity, so dictionaries may be keyed
by it. Nothing here is changed once it is made (freezing dataclasses would triple the time that
making them takes).
"""

from dataclasses import dataclass, field

from static_analysis.reading.attributes import Attributes
from static_analysis.reading.types import FunctionType, Type

HOLE = "%"  # the lexeme that stands for a local


@dataclass(slots=True, eq=False)
class Operand:
    """A value an instruction works on.

    Attributes:
        type: its type.
        lexemes: its spelling, ``%`` standing for a local.
        holes: which locals of the instruction its spelling names, in order: the one the operand
            is, or those inside a block address or metadata.
        attributes: attributes of a call's argument.
    """

    type: Type
    lexemes: tuple[str, ...]
    holes: tuple[int, ...] = ()
    attributes: Attributes = field(default_factory=dict)

    @property
    def hole(self) -> int | None:
        """Return which local of the instruction the operand is; None for a constant."""
        return self.holes[0] if self.lexemes == (HOLE,) else None


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """What ``call``, ``invoke`` and ``callbr`` have besides their arguments.

    Attributes:
        callee: the function called: a global, a local, a constant expression or, starting with
            the lexeme ``asm``, inline assembly.
        type: type of the function called, as far as the call shows it.
        tail: ``tail``, ``musttail``, ``notail`` or empty.
        return_attributes: attributes of the result, the calling convention among them.
        groups: names of the call's attribute groups (``#3``).
        bundles: tag (with its quotes) and operands of each operand bundle.
    """

    callee: Operand
    type: FunctionType
    tail: str
    return_attributes: Attributes
    groups: tuple[str, ...]
    bundles: tuple[tuple[str, tuple[Operand, ...]], ...]


@dataclass(slots=True, eq=False)
class Form:
    """An instruction without its locals.

    Attributes:
        lexemes: all lexemes before the metadata, ``%`` standing for each local.
        opcode: the opcode word.
        has_result: whether it defines a local, which is then the first of the instruction's.
        type: type of the result; void where there is none.
        operands: values in printed order, without the callee and labels: of ``store`` the value
            and the pointer, of ``phi`` the values, of ``switch`` the condition and the case
            values, of a call the arguments, of the pads the pad within comes first.
        labels: which locals are the labels it names, as printed: of ``br`` the one for true is
            first, of ``switch`` the default; of ``phi`` one label per operand.
        flags: words between opcode and operands, such as ``nsw``, ``inbounds``, ``volatile``.
        predicate: of a comparison, or the operation of ``atomicrmw``; else empty.
        element: the type ``alloca`` makes room for or ``getelementptr`` steps through.
        indices: of ``extractvalue`` and ``insertvalue``.
        clauses: of ``landingpad``: ``catch`` or ``filter`` per operand, then ``cleanup`` if set.
        ordering: of an atomic access; two for ``cmpxchg``.
        scope: name of its synchronisation scope, with quotes; else empty.
        alignment: what is printed, else 0.
        call: the rest of a call.
        unwinds_to_caller: whether an exception that passes it leaves the function.
        block_addresses: for each label of a ``blockaddress``: its hole and the function's name.
    """

    lexemes: tuple[str, ...]
    opcode: str
    has_result: bool
    type: Type
    operands: tuple[Operand, ...]
    labels: tuple[int, ...]
    flags: tuple[str, ...]
    predicate: str
    element: Type | None
    indices: tuple[int, ...]
    clauses: tuple[str, ...]
    ordering: tuple[str, ...]
    scope: str
    alignment: int
    call: Call | None
    unwinds_to_caller: bool
    block_addresses: tuple[tuple[int, str], ...]
