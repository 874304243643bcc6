"""Addresses known without running anything: globals, constant expressions, offsets of indices."""

from collections.abc import Sequence

from static_analysis.memory.layout import Layout
from static_analysis.memory.origins import (
    EXTERNAL,
    GLOBAL,
    NOTHING,
    UNKNOWN,
    Address,
    Origin,
    wrapped,
)
from static_analysis.reading.brackets import closing, opening, split
from static_analysis.reading.form import Operand
from static_analysis.reading.ir import Global, Module
from static_analysis.reading.types import IntegerType, StructType, Type, VectorType

_NO_MEMORY = frozenset({"null", "undef", "poison", "none", "zeroinitializer"})
_CASTS = frozenset({"bitcast", "addrspacecast"})
_MAX_DEPTH = 16
_OWN = frozenset({"internal", "private"})
_NOT_REPLACED = _OWN | {"external"}
# Another unit may give these another definition, even one for two of them.
_REPLACED = frozenset({"weak", "linkonce", "common"})
Steps = tuple[tuple[int, int, int], ...]


class ConstantPointers:
    """The addresses of a module's constants, one origin per global."""

    def __init__(self, module: Module, layout: Layout) -> None:
        self._module = module
        self._layout = layout
        self._origins: dict[str, Origin] = {}
        null_is_memory = any("null_pointer_is_valid" in group for group in module.groups.values())
        self._nowhere = Origin(UNKNOWN if null_is_memory else NOTHING, 0)
        self._known: dict[tuple[str, ...], Address] = {}

    def address(self, spelling: tuple[str, ...]) -> Address:
        """Return the address a constant of pointer type is, given its lexemes."""
        found = self._known.get(spelling)
        if found is None:
            found = self._known[spelling] = self._address(spelling)
        return found

    def _address(self, spelling: Sequence[str]) -> Address:
        if spelling[0] in _NO_MEMORY:
            return self._nowhere, 0, (), 0
        offset = 0
        for _ in range(_MAX_DEPTH):
            if spelling[0] != "getelementptr" and spelling[0] not in _CASTS:
                break
            last = len(spelling) - 1
            inside = split(list(spelling[opening(spelling, last) + 1 : last]))
            if spelling[0] in _CASTS:
                spelling = _value(inside[0][: len(inside[0]) - inside[0][::-1].index("to") - 1])
                continue
            element, _ = self._module.types.parse(inside[0])
            indices = [self._operand(part) for part in inside[2:]]
            further, steps = steps_of(element, indices, self._layout)
            if steps != ():
                return self._somewhere(spelling)
            offset += further
            spelling = _value(inside[1])
        if len(spelling) == 1 and spelling[0][0] == "@":
            return self._origin(spelling[0]), wrapped(offset, self._layout.pointer_bits(0)), (), 0
        return self._somewhere(spelling)

    def _operand(self, part: list[str]) -> Operand:
        kind, at = self._module.types.parse(part)
        return Operand(kind, tuple(part[at:]))

    def _somewhere(self, spelling: Sequence[str]) -> Address:
        """Return an address at an unknown place in the only global named, or anywhere."""
        names = {lexeme for lexeme in spelling if lexeme[0] == "@"}
        if len(names) == 1 and "inttoptr" not in spelling:
            return self._origin(names.pop()), 0, ((object(), 1),), 0
        return Origin(UNKNOWN, 0), 0, (), 0

    def _origin(self, name: str) -> Origin:
        origin = self._origins.get(name)
        if origin is None:
            origin = self._origins[name] = self._made(self._module.globals.get(name))
        return origin

    def _made(self, found: Global | None) -> Origin:
        """Make the origin of a global; code counts as elsewhere, what an alias names as unknown."""
        if found is None or found.kind not in ("global", "constant"):
            return Origin(EXTERNAL if found is None else UNKNOWN, 0)
        if found.is_declaration:
            return Origin(EXTERNAL, 0, is_constant=found.kind == "constant")
        if found.linkage in _REPLACED or (self._module.has_assembly and found.linkage not in _OWN):
            return Origin(EXTERNAL, 0)
        size = self._layout.size(found.type) if found.linkage in _NOT_REPLACED else None
        constant = found.kind == "constant"
        return Origin(GLOBAL, 0, is_object=True, is_constant=constant, size=size or None)


def _value(part: list[str]) -> list[str]:
    """Return a pointer constant without its type."""
    at = 1
    while at < len(part) and part[at] == "addrspace":
        at = closing(part, at + 1) + 1
    return part[at:]


def steps_of(element: Type, indices: Sequence[Operand], layout: Layout) -> tuple[int, Steps | None]:
    """Return what ``getelementptr`` adds to its base.

    Args:
        element: the type the first index counts.
        indices: all indices.
        layout: where sizes and offsets come from.

    Returns:
        The constant offset in bytes, and a step (local, bits of the index, bytes) for each
        variable index; no steps but None where the address may be anywhere.
    """
    offset, steps = 0, []
    at: Type | None = None
    for index in indices:
        constant = index.lexemes[0] if index.hole is None else None
        if isinstance(at, StructType):
            measure = layout.measure(at)
            if measure is None or constant is None or at.fields is None:
                return 0, None
            offset += measure.offsets[int(constant)]
            at = at.fields[int(constant)]
            continue
        at, stride = _counted(element, at, layout)
        if stride is None or not isinstance(index.type, IntegerType) or at is None:
            return 0, None
        if index.hole is not None:
            steps.append((index.hole, index.type.bits, stride))
        elif constant is not None and constant.lstrip("-").isdecimal():
            offset += int(constant) * stride
        else:
            return 0, None
    return offset, tuple(steps)


def _counted(element: Type, at: Type | None, layout: Layout) -> tuple[Type | None, int | None]:
    """Return the type that an index counts, and how far apart two of them are."""
    inner = element if at is None else getattr(at, "element", None)
    measure = layout.measure(inner) if inner is not None else None
    if measure is None:
        return inner, None
    if isinstance(at, VectorType):  # lanes lie bit by bit, without padding
        return inner, measure.bits // 8 if measure.bits % 8 == 0 and not at.scalable else None
    return inner, measure.stride
