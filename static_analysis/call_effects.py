"""What one form of call does to memory, from its attributes, its callee's, and the library.

Attributes: Language Reference, "Parameter Attributes" and "Function Attributes". What any of
them rules out does not happen; what none rules out may.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from static_analysis.attributes import Attributes
from static_analysis.form import Form, Operand
from static_analysis.intrinsics import intrinsic
from static_analysis.ir import Module, Prototype
from static_analysis.library import LibraryFunction, library_functions, writes_through_format
from static_analysis.memory_attribute import allowed_writes
from static_analysis.names import unescape
from static_analysis.origins import ANYWHERE, NOTHING, Address
from static_analysis.types import PointerType

Reference = int | Address
_KNOWN_BUNDLES = frozenset({'"deopt"', '"funclet"', '"ptrauth"', '"kcfi"', '"convergencectrl"'})
_RETURNING_TWICE = frozenset(
    {
        *("setjmp", "_setjmp", "_setjmpex", "sigsetjmp", "__sigsetjmp"),
        *("llvm.eh.sjlj.setjmp", "savectx", "getcontext", "vfork"),
    }
)


@dataclass(frozen=True, slots=True)
class Argument:
    """A pointer passed to a call.

    Attributes:
        pointer: what refers to it.
        captured: whether others may know it afterwards.
        written: whether memory may be written through it.
        length: bytes from there on that are written certainly, and no others; None if unknown.
    """

    pointer: Reference
    captured: bool
    written: bool
    length: int | None


@dataclass(frozen=True, slots=True)
class CallEffect:
    """What a call does to memory.

    Attributes:
        writes: kinds of shared memory it may write, other than through its arguments.
        arguments: the pointers passed to it that it may write through or let others know.
        gives: ``pointer``, ``fresh`` or ``made`` (new memory, empty or written by the call),
            ``same`` or ``near`` (its result points to what ``origin`` does, or somewhere in the
            same object), ``start`` or ``end`` (of the lifetime of ``origin``), else empty.
        origin: the pointer passed to it that ``gives`` speaks of.
        source: what it copies to its first argument, and how many bytes.
        returns_twice: whether control may come out of it again later.
    """

    writes: int
    arguments: tuple[Argument, ...]
    gives: str
    origin: Reference | None
    source: tuple[Reference, int] | None
    returns_twice: bool


@dataclass(frozen=True, slots=True)
class _Site:
    """What is known of a call before its effect is put together; one letter an argument."""

    form: Form
    groups: list[Attributes]
    known: LibraryFunction | None
    letters: str
    attributes: list[Attributes]
    result_attributes: Attributes


class CallEffects:
    """Works out the effects of the calls of one module.

    Args:
        module: where prototypes and attribute groups stand.
        reference: gives what refers to a pointer operand.
    """

    def __init__(self, module: Module, reference: Callable[[Operand], Reference]) -> None:
        self._module = module
        self._reference = reference
        self._library = library_functions(module)

    def effect(self, form: Form) -> CallEffect:
        """Return the effect of the calls of a form."""
        assert form.call is not None
        name = form.call.callee.lexemes[0] if len(form.call.callee.lexemes) == 1 else ""
        site = self._site(form, name)
        if name.startswith("@llvm.lifetime."):
            origin = self._reference(form.operands[-1])
            return CallEffect(NOTHING, (), name.split(".")[2], origin, None, False)
        kinds, through_arguments = self._writes(site)
        arguments = [*self._arguments(site, through_arguments), *self._bundled(form)]
        return CallEffect(
            kinds,
            tuple([found for found in arguments if found.captured or found.written]),
            *self._result(site),
            self._source(site),
            unescape(name) in _RETURNING_TWICE
            or any("returns_twice" in group for group in site.groups),
        )

    def _site(self, form: Form, name: str) -> _Site:
        assert form.call is not None
        prototype = self._module.prototypes.get(name)
        names = form.call.groups + (prototype.groups if prototype else ())
        groups = [self._module.groups.get(group, {}) for group in names]
        known = intrinsic(name) or self._library_function(name, groups)
        result = prototype.return_attributes if prototype else {}
        return _Site(
            form,
            groups,
            known,
            self._letters(known, form.operands),
            _attributes(form.operands, prototype),
            result | form.call.return_attributes,
        )

    def _library_function(self, name: str, groups: Sequence[Attributes]) -> LibraryFunction | None:
        is_builtin = any("builtin" in group for group in groups)
        if not is_builtin and any(
            {"nobuiltin", '"no-builtins"'} & group.keys() for group in groups
        ):
            return None
        return self._library.get(name)

    def _letters(self, known: LibraryFunction | None, operands: Sequence[Operand]) -> str:
        """Return one letter of ``library`` for each argument, formats resolved; or none at all."""
        if known is None:
            return ""
        letters = known.arguments.removesuffix("*")
        given = letters[-1:]
        if given == "p":
            given = "w" if self._writes_through_format(operands, len(letters) - 1) else "r"
        elif given == "s":
            given = "w"
        letters = letters.replace("p", "r").replace("s", "r")
        return (letters + given * len(operands))[: len(operands)]

    def _writes_through_format(self, operands: Sequence[Operand], at: int) -> bool:
        return at >= len(operands) or writes_through_format(self._module, operands[at].lexemes)

    def _writes(self, site: _Site) -> tuple[int, bool]:
        """Return the kinds of memory that may be written, and whether through arguments."""
        assert site.form.call is not None
        kinds, through_arguments = allowed_writes(site.groups)
        if site.known is not None:
            return kinds & site.known.writes, through_arguments
        if any(tag not in _KNOWN_BUNDLES for tag, _ in site.form.call.bundles):
            return ANYWHERE, True
        return kinds, through_arguments

    def _arguments(self, site: _Site, through_arguments: bool) -> Iterator[Argument]:
        for at, operand in enumerate(site.form.operands):
            if isinstance(operand.type, PointerType):
                attributes = site.attributes[at]
                captured = "byval" not in attributes and _captures(attributes)
                written = through_arguments and _may_write(attributes)
                length = None
                if site.letters:
                    letter = site.letters[at]
                    captured = letter == "c" and site.form.operands[at + 1].lexemes[0] != "null"
                    written = written and letter in "wWo"
                    length = _constant(site.form.operands[2]) if letter == "W" else None
                written = written and length != 0
                yield Argument(self._reference(operand), captured, written, length)

    def _bundled(self, form: Form) -> Iterator[Argument]:
        """Yield the pointers in operand bundles, but for those that an assumption is about."""
        assert form.call is not None
        if form.call.callee.lexemes[0] != "@llvm.assume":
            for tag, operands in form.call.bundles:
                for operand in operands:
                    if isinstance(operand.type, PointerType):
                        unknown = tag not in _KNOWN_BUNDLES
                        yield Argument(self._reference(operand), True, unknown, None)

    def _result(self, site: _Site) -> tuple[str, Reference | None]:
        """Return what the result is, and the argument it points to."""
        if not isinstance(site.form.type, PointerType):
            return "", None
        known = site.known.result if site.known else ""
        if known in ("0", "~0"):
            return "same" if known == "0" else "near", self._reference(site.form.operands[0])
        for operand, attributes in zip(site.form.operands, site.attributes, strict=True):
            if "returned" in attributes:
                return "same", self._reference(operand)
        if known:
            return known, None
        if "noalias" in site.result_attributes:
            kinds = [str(group.get("allockind", "")) for group in site.groups]
            return "fresh" if any("uninitialized" in kind for kind in kinds) else "made", None
        return "pointer", None

    def _source(self, site: _Site) -> tuple[Reference, int] | None:
        """Return what is copied, of a copy of constant length."""
        length = _constant(site.form.operands[2]) if site.letters.startswith("Wr") else None
        return (self._reference(site.form.operands[1]), length) if length else None


def _attributes(operands: Sequence[Operand], prototype: Prototype | None) -> list[Attributes]:
    """Return the attributes of each argument: those of the call and those of the parameter."""
    parameters = prototype.parameters if prototype else []
    declared = [parameter.attributes for parameter in parameters[: len(operands)]]
    declared += [{}] * (len(operands) - len(declared))
    return [
        of_parameter | operand.attributes
        for operand, of_parameter in zip(operands, declared, strict=True)
    ]


def _captures(attributes: Attributes) -> bool:
    """Say whether more than an address may become known: a right to access memory with it."""
    return "nocapture" not in attributes and "provenance" in str(
        attributes.get("captures", "provenance")
    )


def _may_write(attributes: Attributes) -> bool:
    return attributes.keys().isdisjoint({"readonly", "readnone", "byval"})


def _constant(operand: Operand) -> int | None:
    lexeme = operand.lexemes[0]
    return int(lexeme) if lexeme.isdecimal() else None
