"""What a call does to memory, in words: from attributes, or what is known of the C library.

``reads``, ``writes`` and ``clobbers`` (both) say what may happen, ``spares`` what may not; the
locations after such a word limit it to them. ``pure`` alone means no memory at all, ``clobbers``
alone that nothing is known. ``fresh`` at the end: the result is memory nothing else points to.
"""

from static_analysis.memory.callee_facts import Callee, Callees
from static_analysis.memory.library import LibraryFunction
from static_analysis.memory.memory_attribute import accesses_by_place
from static_analysis.memory.origins import ANYWHERE, ERRNO
from static_analysis.reading.form import Call
from static_analysis.reading.ir import Module

_ACCESS = {"none": "spares", "read": "reads", "write": "writes", "readwrite": "clobbers"}
_LOCATION = {
    "argmem": "arguments",
    "inaccessiblemem": "inaccessible",
    "errnomem": "errno",
}
_READ, _WRITTEN = frozenset("rcps"), frozenset("wWos")  # letters of ``library``
_NOT_OURS = frozenset({"inaccessible", "errno"})

_Effect = dict[str, list[str]]  # how, and where: nowhere means everywhere


class CallWords:
    """Spells the effects of the calls of one module."""

    def __init__(self, module: Module, callees: Callees) -> None:
        self._module = module
        self._callees = callees

    def effect(self, call: Call) -> list[str]:
        """Return the effect words of a call."""
        callee = self._callees.of(call)
        if callee.marks:
            return []
        words = [
            word for how, where in self._effect(call, callee).items() for word in (how, *where)
        ]
        return [*(words or ["pure"]), *["fresh"] * _gives_fresh_memory(call, callee)]

    def may_write(self, call: Call) -> bool:
        """Say whether a call may write memory that the program itself reads."""
        callee = self._callees.of(call)
        effect = self._effect(call, callee)
        return not callee.marks and any(
            how in effect and not (effect[how] and _NOT_OURS.issuperset(effect[how]))
            for how in ("writes", "clobbers")
        )

    def _effect(self, call: Call, callee: Callee) -> _Effect:
        for group in self._module.groups_at(call):
            attribute = group.get("memory")
            if isinstance(attribute, str):
                return _of_attribute(attribute)
        return _of_library(callee.known) if callee.known else {"clobbers": []}


def _gives_fresh_memory(call: Call, callee: Callee) -> bool:
    return (
        callee.is_noalias
        or "noalias" in call.return_attributes
        or (callee.known is not None and callee.known.result in ("fresh", "made"))
    )


def _of_attribute(attribute: str) -> _Effect:
    """Spell ``memory(…)``."""
    effect: _Effect = {}
    for place, access in accesses_by_place(attribute).items() if attribute != "none" else ():
        where = [_LOCATION.get(place, "elsewhere")] if place else []
        effect.setdefault(_ACCESS.get(access, "clobbers"), []).extend(where)
    return effect


def _of_library(known: LibraryFunction) -> _Effect:
    if known.writes == ANYWHERE:
        return {"clobbers": []}
    reads, writes = (not letters.isdisjoint(known.arguments) for letters in (_READ, _WRITTEN))
    effect: _Effect = {}
    if reads or writes:
        effect["clobbers" if reads and writes else "reads" if reads else "writes"] = ["arguments"]
    if known.writes:
        where = "errno" if known.writes == ERRNO else "inaccessible"
        effect.setdefault("clobbers", []).append(where)
    return effect
