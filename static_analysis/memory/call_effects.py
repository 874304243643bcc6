"""What one form of call does to memory, from its attributes, its callee's, and the library.

Attributes: Language Reference, "Parameter Attributes" and "Function Attributes". What any of
them rules out does not happen; what none rules out may.
"""

from collections.abc import Callable, Iterator, Sequence

from static_analysis.memory.actions import Argument, CallEffect, Reference
from static_analysis.memory.callee_facts import Callee, Callees
from static_analysis.memory.library import LibraryFunction, uses_addresses
from static_analysis.memory.origins import ANYWHERE, NOTHING
from static_analysis.reading.attributes import Attributes
from static_analysis.reading.form import Call, Form, Operand
from static_analysis.reading.ir import Module
from static_analysis.reading.types import PointerType

_KNOWN_BUNDLES = frozenset({'"deopt"', '"funclet"', '"ptrauth"', '"kcfi"', '"convergencectrl"'})
_NOT_CAPTURED = frozenset({"byval", "nocapture"})
_NOT_WRITTEN = frozenset({"byval", "readonly", "readnone"})


class CallEffects:
    """Works out the effects of the calls of one module.

    Args:
        module: where the constants that calls name are.
        callees: what is known of its functions.
        reference: gives what refers to a pointer operand.
    """

    def __init__(
        self, module: Module, callees: Callees, reference: Callable[[Operand], Reference]
    ) -> None:
        self._module = module
        self._callees = callees
        self._reference = reference

    def effect(self, form: Form) -> CallEffect:
        """Return the effect of the calls of a form."""
        call = form.call
        assert call is not None
        callee = self._callees.of(call)
        if callee.marks:
            marked = self._reference(form.operands[-1])
            return CallEffect(NOTHING, (), callee.marks, marked, None, False, None)
        letters = self._letters(callee.known, form.operands)
        arguments, returned = self._arguments(form, callee, letters)
        writes = callee.writes
        if call.bundles and call.callee.lexemes != ("@llvm.assume",):
            arguments += self._bundled(call)
            if any(tag not in _KNOWN_BUNDLES for tag, _ in call.bundles):
                writes = ANYWHERE
        gives, origin = self._result(form, callee, returned)
        source = self._source(form, letters)
        stream = self._stream(form, letters)
        return CallEffect(
            writes, tuple(arguments), gives, origin, source, callee.returns_twice, stream
        )

    def _letters(self, known: LibraryFunction | None, operands: Sequence[Operand]) -> str:
        """Return one letter of ``library`` for each argument, formats resolved; or none at all."""
        if known is None:
            return ""
        letters = known.arguments.removesuffix("*")
        given = letters[-1:]
        if given == "p":
            given = "a" if self._uses_addresses(operands, len(letters) - 1) else "r"
        elif given == "s":
            given = "w"
        letters = letters.replace("p", "r").replace("s", "r")
        return (letters + given * len(operands))[: len(operands)]

    def _uses_addresses(self, operands: Sequence[Operand], at: int) -> bool:
        return at >= len(operands) or uses_addresses(self._module, operands[at].lexemes)

    def _arguments(
        self, form: Form, callee: Callee, letters: str
    ) -> tuple[list[Argument], Operand | None]:
        """Return the pointers that are captured or written through, and the one given back."""
        found: list[Argument] = []
        returned = None
        for at, operand in enumerate(form.operands):
            if isinstance(operand.type, PointerType):
                attributes = operand.attributes
                if at < len(callee.parameters):
                    attributes = callee.parameters[at] | attributes
                if "returned" in attributes:
                    returned = operand
                captured = _captures(attributes)
                written = callee.through_arguments and _may_write(attributes)
                length = None
                if letters:
                    is_kept = letters[at] == "c" and form.operands[at + 1].lexemes[0] != "null"
                    captured = is_kept or letters[at] == "a"
                    written = written and letters[at] in "wWoa"
                    length = _constant(form.operands[2]) if letters[at] == "W" else None
                if captured or (written and length != 0):
                    pointer = self._reference(operand)
                    found.append(Argument(pointer, captured, written, length))
        return found, returned

    def _bundled(self, call: Call) -> Iterator[Argument]:
        """Yield the pointers in operand bundles, which any function may know of."""
        for tag, operands in call.bundles:
            for operand in operands:
                if isinstance(operand.type, PointerType):
                    is_written = tag not in _KNOWN_BUNDLES
                    yield Argument(self._reference(operand), True, is_written, None)

    def _result(
        self, form: Form, callee: Callee, returned: Operand | None
    ) -> tuple[str, Reference | None]:
        """Return what the result is, and the argument it points to."""
        if not isinstance(form.type, PointerType):
            return "", None
        known = callee.known.result if callee.known else ""
        if known in ("0", "~0"):
            return "same" if known == "0" else "near", self._reference(form.operands[0])
        if returned is not None:
            return "same", self._reference(returned)
        if known:
            return known, None
        assert form.call is not None
        if callee.is_noalias or "noalias" in form.call.return_attributes:
            return callee.allocates, None
        return "pointer", None

    def _stream(self, form: Form, letters: str) -> Reference | None:
        """Return the stream that is worked on."""
        at = next((at for at, letter in enumerate(letters) if letter in "lo"), None)
        return None if at is None else self._reference(form.operands[at])

    def _source(self, form: Form, letters: str) -> tuple[Reference, int] | None:
        """Return what is copied, of a copy of constant length."""
        length = _constant(form.operands[2]) if letters.startswith("Wr") else None
        return (self._reference(form.operands[1]), length) if length else None


def _captures(attributes: Attributes) -> bool:
    """Say whether more than an address may become known: a right to access memory with it."""
    captures = str(attributes.get("captures", "provenance"))
    return "provenance" in captures and attributes.keys().isdisjoint(_NOT_CAPTURED)


def _may_write(attributes: Attributes) -> bool:
    return attributes.keys().isdisjoint(_NOT_WRITTEN)


def _constant(operand: Operand) -> int | None:
    lexeme = operand.lexemes[0]
    return int(lexeme) if lexeme.isdecimal() else None
