"""What each form of instruction of a module does to pointers and memory.

This module and those it builds on are the only ones of the memory analysis that look into forms.
"""

from static_analysis.memory.actions import (
    Action,
    Choice,
    Copy,
    Escape,
    Exchange,
    Load,
    Reference,
    Slot,
    Step,
    Store,
)
from static_analysis.memory.call_effects import CallEffects
from static_analysis.memory.callee_facts import Callees
from static_analysis.memory.constant_pointers import ConstantPointers, steps_of
from static_analysis.memory.layout import Layout
from static_analysis.reading.form import Form, Operand
from static_analysis.reading.ir import Module
from static_analysis.reading.keywords import CALLS
from static_analysis.reading.types import PointerType

_ACQUIRING = frozenset({"acquire", "acq_rel", "seq_cst"})
_HARMLESS = frozenset({"icmp", "ret", "br", "switch", "indirectbr", "resume", "ptrtoaddr"})
_WRITING = frozenset({"fence", "catchpad", "cleanuppad", "va_arg"})


class Accesses(dict[Form, Action | None]):
    """The actions of the forms of one module, each worked out once, when first asked for.

    A form that does nothing that concerns memory has None.

    Attributes:
        uses: for each form that has been asked for, the places of the pointers among its locals,
            other than those a load or store goes through.
        layout: how the types of the module lie in memory.
        callees: what is known of its functions.
    """

    def __init__(self, module: Module) -> None:
        super().__init__()
        self.uses: dict[Form, tuple[int, ...]] = {}
        self.layout = Layout(module.datalayout)
        self._constants = ConstantPointers(module, self.layout)
        self.callees = Callees(module)
        self._calls = CallEffects(module, self.callees, self.reference)

    def __missing__(self, form: Form) -> Action | None:
        action = self[form] = self._action(form)
        operands = form.operands
        if form.opcode in ("load", "store"):
            operands = operands[:-1]
        elif form.call is not None:
            operands += tuple([one for _, bundle in form.call.bundles for one in bundle])
        pointers = [one.hole for one in operands if isinstance(one.type, PointerType)]
        self.uses[form] = tuple([hole for hole in pointers if hole is not None])
        return action

    def reference(self, operand: Operand) -> Reference:
        """Return what refers to a pointer operand."""
        hole = operand.hole
        return self._constants.address(operand.lexemes) if hole is None else hole

    def _action(self, form: Form) -> Action | None:
        match form.opcode:
            case "alloca":
                return self._slot(form)
            case "load":
                return self._load(form)
            case "store":
                return self._store(form)
            case "atomicrmw" | "cmpxchg":
                return self._exchange(form)
            case "getelementptr" if isinstance(form.type, PointerType):
                return self._step(form)
            case "bitcast" | "addrspacecast" | "freeze" if _is_pointer_to_pointer(form):
                return Copy(self.reference(form.operands[0]))
            case "phi" | "select" if isinstance(form.type, PointerType):
                chosen = form.operands[-2:] if form.opcode == "select" else form.operands
                return Choice(tuple([self.reference(operand) for operand in chosen]))
            case opcode if opcode in CALLS:
                return self._calls.effect(form)
        return self._escape(form)

    def _slot(self, form: Form) -> Slot:
        size = self.layout.size(form.element) if form.element else None
        if not form.operands:
            return Slot(size, form.element)
        count = form.operands[0].lexemes[0]
        fixed = size is not None and count.isdecimal()
        return Slot(size * int(count) if size is not None and fixed else None, None)

    def _load(self, form: Form) -> Load | None:
        size = self.layout.size(form.type)
        ordered = bool(form.ordering) or "volatile" in form.flags
        if size == 0:
            return None
        return Load(
            self.reference(form.operands[0]),
            form.type,
            size,
            isinstance(form.type, PointerType),
            ordered,
            not _ACQUIRING.isdisjoint(form.ordering),
        )

    def _store(self, form: Form) -> Store | None:
        value, pointer = form.operands
        size = self.layout.size(value.type)
        if size == 0:
            return None
        is_pointer = isinstance(value.type, PointerType)
        return Store(
            self.reference(pointer),
            value.type,
            size,
            value,
            self.reference(value) if is_pointer else None,
            "seq_cst" in form.ordering,
        )

    def _exchange(self, form: Form) -> Exchange:
        pointer, *values = form.operands
        return Exchange(
            self.reference(pointer),
            self.layout.size(values[-1].type),
            self._pointers(values),
            isinstance(form.type, PointerType),
            form.opcode == "atomicrmw",
            not _ACQUIRING.isdisjoint(form.ordering),
        )

    def _step(self, form: Form) -> Step:
        base, *indices = form.operands
        assert form.element is not None
        offset, steps = steps_of(form.element, indices, self.layout)
        assert isinstance(base.type, PointerType)
        width = self.layout.pointer_bits(base.type.address_space)
        found = None
        if steps is not None:
            found = tuple([(hole, bits, bits < width, size) for hole, bits, size in steps])
        wraps = "inbounds" not in form.flags and "nusw" not in form.flags
        return Step(self.reference(base), offset, found, wraps, width)

    def _escape(self, form: Form) -> Escape | None:
        pointers = () if form.opcode in _HARMLESS else self._pointers(form.operands)
        gives_pointer = form.has_result and isinstance(form.type, PointerType)
        writes = form.opcode in _WRITING
        if pointers or gives_pointer or writes:
            return Escape(pointers, gives_pointer, writes)
        return None

    def _pointers(self, operands: "tuple[Operand, ...] | list[Operand]") -> tuple[Reference, ...]:
        pointers = [operand for operand in operands if isinstance(operand.type, PointerType)]
        return tuple([self.reference(pointer) for pointer in pointers])


def _is_pointer_to_pointer(form: Form) -> bool:
    return isinstance(form.type, PointerType) and isinstance(form.operands[0].type, PointerType)
