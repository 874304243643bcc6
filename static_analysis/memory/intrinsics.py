"""What LLVM's intrinsics do to memory where their attributes do not say it all.

Entries are as in ``library``, by the name up to its types. ``memory(…)`` and ``captures(…)`` on
the declarations tell the rest.
"""

from static_analysis.memory.library import LibraryFunction
from static_analysis.memory.origins import NOTHING

_ROWS = [
    ("Wr--", "", "memcpy memmove memcpy.inline memcpy.element.unordered.atomic"),
    ("W---", "", "memset memset.inline memset.element.unordered.atomic"),
    ("Wr--", "", "memmove.element.unordered.atomic"),
    ("w", "", "va_start"),
    ("r", "", "va_end"),
    ("wr", "", "va_copy"),
    ("r", "0", "launder.invariant.group strip.invariant.group ssa.copy threadlocal.address"),
    ("rrr-r", "0", "ptr.annotation"),
    ("r-", "~0", "ptrmask"),
    ("r--", "~0", "preserve.array.access.index preserve.struct.access.index"),
    ("r-", "~0", "preserve.union.access.index"),
    ("r*", "", "stackrestore stacksave assume sideeffect pseudoprobe donothing var.annotation"),
    ("r*", "", "invariant.start invariant.end experimental.noalias.scope.decl prefetch"),
    ("r*", "", "objectsize is.constant eh.typeid.for fake.use"),
]
INTRINSICS = {
    f"@llvm.{name}": LibraryFunction(arguments, NOTHING, result)
    for arguments, result, names in _ROWS
    for name in names.split()
}
_WITH_TYPES = {f"{name}.": known for name, known in INTRINSICS.items()}


def intrinsic(lexeme: str) -> LibraryFunction | None:
    """Return what is known of the intrinsic a lexeme names, its types left out."""
    known = INTRINSICS.get(lexeme)
    if known is not None or not lexeme.startswith("@llvm."):
        return known
    longest = max((name for name in _WITH_TYPES if lexeme.startswith(name)), key=len, default="")
    return _WITH_TYPES.get(longest)
