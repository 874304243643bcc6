"""What is known of a function wherever it is called, worked out once for all its calls."""

from collections.abc import Sequence
from dataclasses import dataclass

from static_analysis.memory.intrinsics import intrinsic
from static_analysis.memory.library import LibraryFunction, library_functions
from static_analysis.memory.memory_attribute import allowed_writes
from static_analysis.reading.attributes import Attributes
from static_analysis.reading.form import Call
from static_analysis.reading.ir import Module
from static_analysis.words.names import unescape

_RETURNING_TWICE = frozenset(
    {
        *("setjmp", "_setjmp", "_setjmpex", "sigsetjmp", "__sigsetjmp"),
        *("llvm.eh.sjlj.setjmp", "savectx", "getcontext", "swapcontext", "vfork"),
    }
)


@dataclass(frozen=True, slots=True)
class Callee:
    """What holds for all calls of a function that name the same attribute groups.

    Attributes:
        writes: kinds of memory it may write, other than through arguments.
        through_arguments: whether it may write through its arguments.
        known: what the library's description says.
        allocates: ``fresh`` or ``made`` for the memory it gives if nobody else has it.
        is_noalias: whether nobody else has the memory its result points to.
        returns_twice: whether control may come out of a call again later.
        parameters: attributes of each parameter.
        marks: ``start`` or ``end`` for the markers of lifetimes.
    """

    writes: int
    through_arguments: bool
    known: LibraryFunction | None
    allocates: str
    is_noalias: bool
    returns_twice: bool
    parameters: tuple[Attributes, ...]
    marks: str


class Callees(dict[tuple[str, tuple[str, ...]], Callee]):
    """The callees of one module, by name (empty if not a plain one) and attribute groups."""

    def __init__(self, module: Module) -> None:
        super().__init__()
        self._module = module
        self._library = library_functions(module)

    def of(self, call: Call) -> Callee:
        """Return what is known of what a call names; of a pointer or assembly that is little."""
        lexemes = call.callee.lexemes
        return self[lexemes[0] if len(lexemes) == 1 else "", call.groups]

    def __missing__(self, key: tuple[str, tuple[str, ...]]) -> Callee:
        callee = self[key] = self._facts(*key)
        return callee

    def _facts(self, name: str, names: tuple[str, ...]) -> Callee:
        prototype = self._module.prototypes.get(name)
        names += prototype.groups if prototype else ()
        groups = [self._module.groups.get(group, {}) for group in names]
        kinds, through_arguments = allowed_writes(groups)
        known = intrinsic(name)
        if known is None and not _is_no_builtin(groups):
            known = self._library.get(name)
        empty = any("uninitialized" in str(group.get("allockind", "")) for group in groups)
        return Callee(
            kinds if known is None else kinds & known.writes,
            through_arguments,
            known,
            "fresh" if empty else "made",
            prototype is not None and "noalias" in prototype.return_attributes,
            unescape(name) in _RETURNING_TWICE or any("returns_twice" in group for group in groups),
            tuple([one.attributes for one in prototype.parameters]) if prototype else (),
            name.split(".")[2] if name.startswith("@llvm.lifetime.") else "",
        )


def _is_no_builtin(groups: Sequence[Attributes]) -> bool:
    """Say whether a call must not be taken for one of a library function."""
    if any("builtin" in group for group in groups):
        return False
    return any("nobuiltin" in group or '"no-builtins"' in group for group in groups)
