"""Follows pointers through one function and notes what goes through them.

Every pointer gets an address: an origin, an offset and, where it is indexed, variable terms. One
pass over the reachable blocks, definitions before uses, is enough: what a ``phi`` or a register
slot merges has an origin of its own, whose parts are looked at when all addresses are known.
"""

from collections.abc import Callable
from typing import Any

from static_analysis.accesses import Accesses
from static_analysis.actions import (
    CallEffect,
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
from static_analysis.flow import Flow
from static_analysis.indices import Indices, Rules
from static_analysis.ir import Function, Parameter
from static_analysis.memory_ssa import ENTRY, MERGE
from static_analysis.origins import (
    ANYWHERE,
    ARGUMENT,
    LOCAL,
    NOTHING,
    UNKNOWN,
    Address,
    Location,
    Origin,
    Term,
)
from static_analysis.registers import Registers
from static_analysis.traffic import Traffic, Write
from static_analysis.types import PointerType, Type

_MAX_TERMS = 6
_ONLY_READ = frozenset({"readonly", "readnone"})
_FAR = 1 << 47
_OWN_MEMORY = ("byval", "inalloca", "preallocated", "noalias")


class Pointers:
    """The addresses of one function's pointers, and the traffic through them.

    Args:
        function: the function.
        accesses: what its forms do.
        rules: what its forms do to indices.
        flow: its control flow.
        registers: its register slots.
    """

    def __init__(
        self,
        function: Function,
        accesses: Accesses,
        rules: Rules,
        flow: Flow,
        registers: Registers,
    ) -> None:
        self.traffic = Traffic([[] for _ in function.blocks])
        self._function = function
        self._accesses = accesses
        self._flow = flow
        self._registers = registers
        self._indices = Indices(function, registers, rules)
        self._addresses: dict[str, Address] = {}
        self._merged: dict[int, Origin] = {}
        self._chosen: list[tuple[Origin, tuple[Reference, ...], tuple[str, ...]]] = []
        self._block = 0

    def follow(self) -> Traffic:
        """Go through all reachable blocks and return the traffic found."""
        for parameter in self._function.prototype.parameters:
            if isinstance(parameter.type, PointerType):
                self._addresses[parameter.name] = (self._argument(parameter), 0, (), 0)
        handlers: dict[type, Callable[[int, tuple[str, ...], Any], None]] = {
            Slot: self._slot,
            Load: self._load,
            Store: self._store,
            Exchange: self._exchange,
            Step: self._step,
            Copy: self._copy,
            Choice: self._choice,
            Escape: self._escape,
            CallEffect: self._call,
        }
        accesses, instructions = self._accesses, self._function.instructions
        for number in self._flow.graph.preorder:
            self._block = number
            block = self._function.blocks[number]
            for index in range(block.start, block.stop):
                instruction = instructions[index]
                action = accesses[instruction.form]
                if action is not None:
                    handlers[action.__class__](index, instruction.locals, action)
        self._name_parts()
        return self.traffic

    def _argument(self, parameter: Parameter) -> Origin:
        """Return the origin of a pointer argument: an object of its own, or anything's memory."""
        owned = [word for word in _OWN_MEMORY if word in parameter.attributes]
        if not owned:
            return Origin(ARGUMENT, 0)
        made_of = parameter.attributes[owned[0]]
        size = self._accesses.layout.size(made_of) if isinstance(made_of, Type) else None
        constant = owned == ["noalias"] and not _ONLY_READ.isdisjoint(parameter.attributes)
        return self._object(Origin(LOCAL, 0, is_object=True, size=size, is_constant=constant))

    def _object(self, origin: Origin) -> Origin:
        self.traffic.objects.append(origin)
        return origin

    def _address(self, reference: Reference, names: tuple[str, ...]) -> Address:
        if isinstance(reference, int):
            return self._addresses[names[reference]]
        return reference

    def _slot(self, index: int, names: tuple[str, ...], slot: Slot) -> None:
        if names[0] not in self._registers.slots:
            origin = Origin(LOCAL, self._block, is_object=True, is_fresh=True, size=slot.size)
            self._make(index, names[0], origin, NOTHING)

    def _make(self, index: int, name: str, origin: Origin, kinds: int) -> None:
        """Note a new object; what the entry makes is fresh from the start."""
        self._addresses[name] = self._object(origin), 0, (), self._block
        if self._block or not origin.is_fresh:
            self._write(index, Write(kinds=kinds, makes=origin, is_fresh=origin.is_fresh))
        elif kinds:
            self._write(index, Write(kinds=kinds))

    def _make_unknown(self, name: str) -> None:
        self._addresses[name] = Origin(UNKNOWN, self._block), 0, (), self._block

    def _write(self, index: int, write: Write) -> None:
        self.traffic.writes[index] = write
        order = self.traffic.order[self._block]
        if not order or order[-1] != index:
            order.append(index)

    def _read(self, index: int, location: Location) -> None:
        self.traffic.reads[index] = location
        self.traffic.order[self._block].append(index)

    def _load(self, index: int, names: tuple[str, ...], load: Load) -> None:
        version = self._registers.seen.get(index)
        if version is not None:
            if load.gives_pointer:
                self._addresses[names[0]] = self._seen(version)
            return
        self._read(index, (*self._address(load.pointer, names), load.size))
        if load.gives_pointer:
            self._make_unknown(names[0])
        if load.ordered:
            self.traffic.ordered.add(index)
        if load.synchronises:
            self._write(index, Write(kinds=ANYWHERE))

    def _seen(self, version: int) -> Address:
        """Return the pointer that a version of a register slot is."""
        ssa = self._registers.ssa
        writer = ssa.writers[version]
        if writer != MERGE:
            store = self._function.instructions[writer]
            action = self._accesses[store.form]
            assert isinstance(action, Store)
            assert action.stored is not None
            return self._address(action.stored, store.locals)
        if version <= ENTRY:
            return Origin(NOTHING, 0), 0, (), 0
        origin = self._merged.get(version)
        if origin is None:
            origin = self._merged[version] = Origin(NOTHING, ssa.places[version], parts=[])
            self.traffic.choices.append(origin)
        return origin, 0, (), origin.place

    def _store(self, index: int, names: tuple[str, ...], store: Store) -> None:
        pointer = store.pointer
        if isinstance(pointer, int) and names[pointer] in self._registers.slots:
            return
        if store.stored is not None:
            self._escapes(store.stored, names)
        target = (*self._address(pointer, names), store.size)
        kinds = ANYWHERE if store.synchronises else NOTHING
        self._write(index, Write((target,), store.size is not None, kinds))

    def _escapes(self, reference: Reference, names: tuple[str, ...]) -> None:
        self.traffic.escaping.append(self._address(reference, names)[0])

    def _exchange(self, index: int, names: tuple[str, ...], exchange: Exchange) -> None:
        for stored in exchange.stored:
            self._escapes(stored, names)
        target = (*self._address(exchange.pointer, names), exchange.size)
        self._read(index, target)
        self.traffic.ordered.add(index)
        kinds = ANYWHERE if exchange.synchronises else NOTHING
        self._write(index, Write((target,), exchange.always and exchange.size is not None, kinds))
        if exchange.gives_pointer:
            self._make_unknown(names[0])

    def _step(self, index: int, names: tuple[str, ...], step: Step) -> None:
        origin, offset, terms, place = self._address(step.base, names)
        offset += step.offset
        if step.steps is None or len(terms) + len(step.steps) > _MAX_TERMS:
            terms, place = ((names[0], 1),), self._block
        else:
            for hole, bits, is_extended, size in step.steps:
                symbol, constant, defined = self._indices.index(names[hole], bits, is_extended)
                offset += constant * size
                if symbol is not None and size:
                    terms = (*terms, _term(symbol, size, step.wraps))
                    place = self._inner(place, defined)
        self._addresses[names[0]] = origin, _wrapped(offset), terms, place

    def _inner(self, place: int, other: int) -> int:
        """Return the inner one of two blocks that both dominate the one at hand."""
        return other if self._flow.enter[other] > self._flow.enter[place] else place

    def _copy(self, index: int, names: tuple[str, ...], copy: Copy) -> None:
        self._addresses[names[0]] = self._address(copy.pointer, names)

    def _choice(self, index: int, names: tuple[str, ...], choice: Choice) -> None:
        chosen = [
            self._addresses.get(names[one]) if isinstance(one, int) else one
            for one in choice.pointers
        ]
        if chosen[0] is not None and all(address == chosen[0] for address in chosen):
            self._addresses[names[0]] = chosen[0]
            return
        origin = Origin(NOTHING, self._block, parts=[])
        self.traffic.choices.append(origin)
        self._chosen.append((origin, choice.pointers, names))
        self._addresses[names[0]] = origin, 0, (), self._block

    def _escape(self, index: int, names: tuple[str, ...], escape: Escape) -> None:
        for pointer in escape.pointers:
            self._escapes(pointer, names)
        if escape.gives_pointer:
            self._make_unknown(names[0])
        if escape.writes:
            self._write(index, Write(kinds=ANYWHERE))

    def _call(self, index: int, names: tuple[str, ...], call: CallEffect) -> None:
        if call.source is not None:
            source, length = call.source
            self._read(index, (*self._address(source, names), length))
        targets = []
        for argument in call.arguments:
            if argument.captured:
                self._escapes(argument.pointer, names)
            if argument.written:
                targets.append((*self._address(argument.pointer, names), argument.length))
        if targets or call.writes:
            definite = len(targets) == 1 and targets[0][4] is not None
            self._write(index, Write(tuple(targets), definite, call.writes))
        if call.gives:
            self._give(index, names, call)

    def _give(self, index: int, names: tuple[str, ...], call: CallEffect) -> None:
        """Note what pointer a call gives, or whose lifetime it marks."""
        if call.gives == "pointer":
            self._make_unknown(names[0])
        elif call.gives in ("fresh", "made"):
            fresh = call.gives == "fresh"
            origin = Origin(LOCAL, self._block, is_object=True, is_fresh=fresh)
            self._make(index, names[0], origin, call.writes)
        elif call.origin is not None and call.gives in ("start", "end"):
            if not isinstance(call.origin, int) or names[call.origin] not in self._registers.slots:
                origin = self._address(call.origin, names)[0]
                self._write(index, Write(makes=origin, is_fresh=True))
        elif call.origin is not None:
            origin, offset, terms, place = self._address(call.origin, names)
            if call.gives == "near":
                terms, place = ((names[0], 1),), self._block
            self._addresses[names[0]] = origin, offset, terms, place

    def _name_parts(self) -> None:
        """Tell the choices the origins of what they choose among, now that all are known."""
        for origin, pointers, names in self._chosen:
            for pointer in pointers:
                known = self._addresses.get(names[pointer]) if isinstance(pointer, int) else pointer
                if known is not None and origin.parts is not None:
                    origin.parts.append(known[0])
        incoming = self._registers.ssa.incoming
        todo = list(self._merged)
        while todo:
            version = todo.pop()
            before = set(self._merged)
            parts = [self._seen(part)[0] for part in set(incoming[version])]
            self._merged[version].parts = parts
            todo.extend(self._merged.keys() - before)


def _term(symbol: object, size: int, wraps: bool) -> Term:
    """Return a term; of one that may wrap, only powers of two divide what it contributes."""
    return ((symbol, size), size & -size) if wraps else (symbol, size)


def _wrapped(offset: int) -> int:
    """Return an offset as a signed number of 64 bits."""
    return offset if -_FAR < offset < _FAR else (offset + (1 << 63)) % (1 << 64) - (1 << 63)
