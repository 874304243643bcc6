"""Follows pointers through one function and notes what goes through them.

One pass over the reachable blocks, definitions before uses, gives every pointer its address
(``addresses``) and notes what is read, written, made and let out of sight.
"""

from collections.abc import Callable
from typing import Any

from static_analysis.memory.actions import (
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
from static_analysis.memory.addresses import Addresses
from static_analysis.memory.origins import (
    ANYWHERE,
    ARGUMENT,
    EXTERNAL,
    LOCAL,
    NOTHING,
    Location,
    Origin,
)
from static_analysis.memory.traffic import Traffic, Write
from static_analysis.reading.ir import Parameter
from static_analysis.reading.types import PointerType, Type

_ONLY_READ = frozenset({"readonly", "readnone"})
_OWN_MEMORY = ("byval", "inalloca", "preallocated", "noalias")


class Pointers:
    """The traffic through one function's pointers, whose addresses are found on the way."""

    def __init__(self, addresses: Addresses) -> None:
        self.traffic = Traffic([[] for _ in addresses.function.blocks])
        self._function = addresses.function
        self._accesses = addresses.accesses
        self._registers = addresses.registers
        self._addresses = addresses
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
        for number in self._addresses.tree.graph.preorder:
            self._block = number
            block = self._function.blocks[number]
            for index in range(block.start, block.stop):
                instruction = instructions[index]
                action = accesses[instruction.form]
                if action is not None:
                    handlers[action.__class__](index, instruction.locals, action)
        self._addresses.name_parts()
        self.traffic.choices = self._addresses.choices
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
                self._addresses[names[0]] = self._addresses.seen(version)
            return
        self._read(index, (*self._addresses.of(load.pointer, names), load.size))
        if load.gives_pointer:
            self._addresses.add_unknown(names[0], self._block)
        if load.ordered:
            self.traffic.ordered.add(index)
        if load.synchronises:
            self._write(index, Write(kinds=ANYWHERE))

    def _store(self, index: int, names: tuple[str, ...], store: Store) -> None:
        pointer = store.pointer
        if isinstance(pointer, int) and names[pointer] in self._registers.slots:
            return
        if store.stored is not None:
            self._escapes(store.stored, names)
        target = (*self._addresses.of(pointer, names), store.size)
        kinds = ANYWHERE if store.synchronises else NOTHING
        self._write(index, Write((target,), store.size is not None, kinds))

    def _escapes(self, reference: Reference, names: tuple[str, ...]) -> None:
        self.traffic.escaping.append(self._addresses.of(reference, names)[0])

    def _exchange(self, index: int, names: tuple[str, ...], exchange: Exchange) -> None:
        for stored in exchange.stored:
            self._escapes(stored, names)
        target = (*self._addresses.of(exchange.pointer, names), exchange.size)
        self._read(index, target)
        self.traffic.ordered.add(index)
        kinds = ANYWHERE if exchange.synchronises else NOTHING
        self._write(index, Write((target,), exchange.always and exchange.size is not None, kinds))
        if exchange.gives_pointer:
            self._addresses.add_unknown(names[0], self._block)

    def _step(self, index: int, names: tuple[str, ...], step: Step) -> None:
        self._addresses.add_step(names, step, self._block)

    def _copy(self, index: int, names: tuple[str, ...], copy: Copy) -> None:
        self._addresses[names[0]] = self._addresses.of(copy.pointer, names)

    def _choice(self, index: int, names: tuple[str, ...], choice: Choice) -> None:
        self._addresses.add_choice(names, choice, self._block)

    def _escape(self, index: int, names: tuple[str, ...], escape: Escape) -> None:
        for pointer in escape.pointers:
            self._escapes(pointer, names)
        if escape.gives_pointer:
            self._addresses.add_unknown(names[0], self._block)
        if escape.writes:
            self._write(index, Write(kinds=ANYWHERE))

    def _call(self, index: int, names: tuple[str, ...], call: CallEffect) -> None:
        if call.source is not None:
            source, length = call.source
            self._read(index, (*self._addresses.of(source, names), length))
        targets = []
        for argument in call.arguments:
            if argument.captured:
                self._escapes(argument.pointer, names)
            if argument.written:
                targets.append((*self._addresses.of(argument.pointer, names), argument.length))
        self.traffic.returns_twice |= call.returns_twice
        kinds = call.writes
        if call.stream is not None and self._addresses.of(call.stream, names)[0].kind != EXTERNAL:
            kinds = ANYWHERE  # no standard stream: its buffer may be memory of the program's
        if targets or kinds:
            definite = len(targets) == 1 and targets[0][4] is not None
            self._write(index, Write(tuple(targets), definite, kinds))
        if call.gives:
            self._give(index, names, call)

    def _give(self, index: int, names: tuple[str, ...], call: CallEffect) -> None:
        """Note what pointer a call gives, or whose lifetime it marks."""
        if call.gives == "pointer":
            self._addresses.add_unknown(names[0], self._block)
        elif call.gives in ("fresh", "made"):
            fresh = call.gives == "fresh"
            origin = Origin(LOCAL, self._block, is_object=True, is_fresh=fresh)
            self._make(index, names[0], origin, call.writes)
        elif call.origin is not None and call.gives in ("start", "end"):
            if not isinstance(call.origin, int) or names[call.origin] not in self._registers.slots:
                origin = self._addresses.of(call.origin, names)[0]
                self._write(index, Write(makes=origin, is_fresh=True))
        elif call.origin is not None:
            origin, offset, terms, place = self._addresses.of(call.origin, names)
            if call.gives == "near":
                terms, place = ((names[0], 1),), self._block
            self._addresses[names[0]] = origin, offset, terms, place
