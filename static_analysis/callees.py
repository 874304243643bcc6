"""What a call does to memory, in words: from attributes, or what is known of the C library.

``reads``, ``writes`` and ``clobbers`` (both) say what may happen, ``spares`` what may not; the
locations after such a word limit it to them. ``pure`` alone means no memory at all, ``clobbers``
alone that nothing is known. ``fresh`` at the end: the result is memory nothing else points to.
"""

from static_analysis.form import Form
from static_analysis.intrinsics import intrinsic
from static_analysis.ir import Module
from static_analysis.library import LibraryFunction, library_functions
from static_analysis.origins import ERRNO

_ACCESS = {"none": "spares", "read": "reads", "write": "writes", "readwrite": "clobbers"}
_LOCATION = {
    "argmem": "arguments",
    "inaccessiblemem": "inaccessible",
    "errnomem": "errno",
}
_READ, _WRITTEN = frozenset("rcps"), frozenset("wWos")  # letters of ``library``
_NOT_OURS = frozenset({"inaccessible", "errno"})
_LIFETIME = "@llvm.lifetime."

_Effect = dict[str, list[str]]  # how, and where: nowhere means everywhere


class Callees:
    """Spells the effects of the calls of one module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._library = library_functions(module)

    def effect(self, form: Form) -> list[str]:
        """Return the effect words of the calls of a form."""
        effect, name = self._effect(form), _callee(form)
        if name.startswith(_LIFETIME):
            return []
        words = [word for how, where in effect.items() for word in (how, *where)]
        return [*(words or ["pure"]), *["fresh"] * self._gives_fresh_memory(form, name)]

    def may_write(self, form: Form) -> bool:
        """Say whether calls of a form may write memory that the program itself reads."""
        effect = self._effect(form)
        return not _callee(form).startswith(_LIFETIME) and any(
            how in effect and not (effect[how] and _NOT_OURS.issuperset(effect[how]))
            for how in ("writes", "clobbers")
        )

    def _effect(self, form: Form) -> _Effect:
        name = _callee(form)
        for group in self._groups(form, name):
            attribute = self._module.groups.get(group, {}).get("memory")
            if isinstance(attribute, str):
                return _of_attribute(attribute)
        known = intrinsic(name) or self._library.get(name)
        return _of_library(known) if known else {"clobbers": []}

    def _groups(self, form: Form, name: str) -> tuple[str, ...]:
        prototype = self._module.prototypes.get(name)
        own = form.call.groups if form.call else ()
        return own + prototype.groups if prototype else own

    def _gives_fresh_memory(self, form: Form, name: str) -> bool:
        known, prototype = self._library.get(name), self._module.prototypes.get(name)
        return (
            (form.call is not None and "noalias" in form.call.return_attributes)
            or (prototype is not None and "noalias" in prototype.return_attributes)
            or (known is not None and known.result in ("fresh", "made"))
        )


def _callee(form: Form) -> str:
    """Return the global a call names, or an empty text."""
    lexemes = form.call.callee.lexemes if form.call else ()
    return lexemes[0] if len(lexemes) == 1 else ""


def _of_attribute(attribute: str) -> _Effect:
    """Read ``memory(…)`` (Language Reference, "Function Attributes")."""
    effect: _Effect = {}
    for item in attribute.split(",") if attribute != "none" else ():
        location, _, access = item.rpartition(":")
        where = [_LOCATION.get(location.strip(), "elsewhere")] if location else []
        effect.setdefault(_ACCESS.get(access.strip(), "clobbers"), []).extend(where)
    return effect


def _of_library(known: LibraryFunction) -> _Effect:
    reads, writes = (not letters.isdisjoint(known.arguments) for letters in (_READ, _WRITTEN))
    effect: _Effect = {}
    if reads or writes:
        effect["clobbers" if reads and writes else "reads" if reads else "writes"] = ["arguments"]
    if known.writes:
        where = "errno" if known.writes == ERRNO else "inaccessible"
        effect.setdefault("clobbers", []).append(where)
    return effect
