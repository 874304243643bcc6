"""The addresses of one function's pointers: where each points to, as far as its text tells.

What a ``phi`` or a register slot merges has an origin of its own, whose parts are looked at when
all addresses are known.
"""

from static_analysis.flow.dominator_tree import DominatorTree
from static_analysis.memory.accesses import Accesses
from static_analysis.memory.actions import Choice, Reference, Step, Store
from static_analysis.memory.indices import Indices, Rules
from static_analysis.memory.origins import NOTHING, UNKNOWN, Address, Origin, Term, wrapped
from static_analysis.memory.registers import Registers
from static_analysis.memory.ssa import ENTRY, MERGE
from static_analysis.reading.ir import Function

_MAX_TERMS = 6


class Addresses(dict[str, Address]):
    """The addresses known so far, by local.

    Args:
        function: the function.
        accesses: what its forms do.
        rules: what its forms do to indices.
        tree: its control flow with the dominator tree.
        registers: its register slots.

    Attributes:
        choices: origins of pointers chosen among several.
        function, accesses, tree, registers: as given.
    """

    def __init__(
        self,
        function: Function,
        accesses: Accesses,
        rules: Rules,
        tree: DominatorTree,
        registers: Registers,
    ) -> None:
        super().__init__()
        self.choices: list[Origin] = []
        self.function = function
        self.accesses = accesses
        self.tree = tree
        self.registers = registers
        self._indices = Indices(function, registers, rules)
        self._merged: dict[int, Origin] = {}
        self._chosen: list[tuple[Origin, tuple[Reference, ...], tuple[str, ...]]] = []

    def of(self, reference: Reference, names: tuple[str, ...]) -> Address:
        """Return the address of a pointer that an instruction with these locals refers to."""
        return self[names[reference]] if isinstance(reference, int) else reference

    def add_unknown(self, name: str, block: int) -> None:
        """Give a local that is defined in a block an origin about which nothing is known."""
        self[name] = Origin(UNKNOWN, block), 0, (), block

    def seen(self, version: int) -> Address:
        """Return the pointer that a version of a register slot is."""
        ssa = self.registers.ssa
        writer = ssa.writers[version]
        if writer != MERGE:
            store = self.function.instructions[writer]
            action = self.accesses[store.form]
            assert isinstance(action, Store)
            assert action.stored is not None
            return self.of(action.stored, store.locals)
        if version <= ENTRY:
            return Origin(NOTHING, 0), 0, (), 0
        origin = self._merged.get(version)
        if origin is None:
            origin = self._merged[version] = Origin(NOTHING, ssa.places[version], parts=[])
            self.choices.append(origin)
        return origin, 0, (), origin.place

    def add_step(self, names: tuple[str, ...], step: Step, block: int) -> None:
        """Give the result of a ``getelementptr`` its address."""
        origin, offset, terms, place = self.of(step.base, names)
        offset += step.offset
        if step.steps is None or len(terms) + len(step.steps) > _MAX_TERMS:
            terms, place = ((names[0], 1),), block
        else:
            for hole, bits, is_extended, size in step.steps:
                symbol, constant, defined = self._indices.index(names[hole], bits, is_extended)
                offset += constant * size
                if symbol is not None and size:
                    terms = (*terms, _term(symbol, size, step.wraps))
                    place = self._inner(place, defined)
        self[names[0]] = origin, wrapped(offset, step.bits), terms, place

    def _inner(self, place: int, other: int) -> int:
        """Return the inner one of two blocks that both dominate the one at hand."""
        return other if self.tree.enter[other] > self.tree.enter[place] else place

    def add_choice(self, names: tuple[str, ...], choice: Choice, block: int) -> None:
        """Give a pointer chosen among several an origin of its own, unless they are all one."""
        chosen = [self.get(names[one]) if isinstance(one, int) else one for one in choice.pointers]
        if chosen[0] is not None and all(address == chosen[0] for address in chosen):
            self[names[0]] = chosen[0]
            return
        origin = Origin(NOTHING, block, parts=[])
        self.choices.append(origin)
        self._chosen.append((origin, choice.pointers, names))
        self[names[0]] = origin, 0, (), block

    def name_parts(self) -> None:
        """Tell the choices the origins of what they choose among, now that all are known."""
        for origin, pointers, names in self._chosen:
            for pointer in pointers:
                known = self.get(names[pointer]) if isinstance(pointer, int) else pointer
                if known is not None and origin.parts is not None:
                    origin.parts.append(known[0])
        incoming = self.registers.ssa.incoming
        todo = list(self._merged)
        while todo:
            version = todo.pop()
            before = set(self._merged)
            parts = [self.seen(part)[0] for part in set(incoming[version])]
            self._merged[version].parts = parts
            todo.extend(self._merged.keys() - before)


def _term(symbol: object, size: int, wraps: bool) -> Term:
    """Return a term; of one that may wrap, only powers of two divide what it contributes."""
    return ((symbol, size), size & -size) if wraps else (symbol, size)
