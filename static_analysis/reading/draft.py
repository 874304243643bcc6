"""A form in the making: a cursor over lexemes that collects what it passes."""

from collections.abc import Sequence

from static_analysis.reading.attributes import Attributes, parse_attributes
from static_analysis.reading.brackets import closing
from static_analysis.reading.cursor import Cursor
from static_analysis.reading.form import HOLE, Call, Form, Operand
from static_analysis.reading.keywords import CONSTANT_WORDS, OPEN, ORDERINGS
from static_analysis.reading.type_table import TypeTable
from static_analysis.reading.types import METADATA, Type

_NO_ATTRIBUTES: Attributes = {}
_HOLE_ALONE = (HOLE,)
_LONE_STARTS = frozenset("@-0123456789")  # of constants that are one lexeme
_VALUE_STARTS = _LONE_STARTS | {"%"}
_NAMES_A_FUNCTION = ("dso_local_equivalent", "no_cfi")


class Draft(Cursor):
    """Reads the pieces instructions are made of; the grammar says in which order."""

    def __init__(self, lexemes: Sequence[str], types: TypeTable) -> None:
        super().__init__(lexemes)
        self.types = types
        self.opcode = ""
        self.operands: list[Operand] = []
        self.labels: list[int] = []
        self.flags: list[str] = []
        self.predicate = ""
        self.element: Type | None = None
        self.indices: list[int] = []
        self.clauses: list[str] = []
        self.ordering: list[str] = []
        self.scope = ""
        self.alignment = 0
        self.call: Call | None = None
        self.unwinds_to_caller = False
        self.block_addresses: list[tuple[int, str]] = []
        self.locals: list[int] = []  # places of the locals read so far

    def local(self) -> int:
        """Pass a local; return its number among the locals of the instruction."""
        if self.take()[0] != "%":
            raise ValueError("a local expected")
        self.locals.append(self._at - 1)
        return len(self.locals) - 1

    def label(self) -> None:
        """Pass ``label %x``."""
        self.expect("label")
        self.labels.append(self.local())

    def listed_labels(self) -> None:
        """Pass ``[label %x, label %y]``."""
        self.expect("[")
        while not self.accept("]"):
            self.label()
            self.accept(",")

    def type(self) -> Type:
        """Pass a type."""
        found, self._at = self.types.parse(self._lexemes, self._at)
        return found

    def attributes(self) -> Attributes:
        """Pass attributes, if any stand here."""
        if self._lexemes[self._at][:1] in _VALUE_STARTS:
            return _NO_ATTRIBUTES
        found, self._at = parse_attributes(self._lexemes, self._at, self.types)
        return found

    def operand(self) -> Operand:
        """Pass a type and a value, and keep them as an operand."""
        return self.value(self.type())

    def typed_operands(self) -> list[Type]:
        """Pass operands with commas between, each after its type; return the types."""
        types = [self.operand().type]
        while self.accept(","):
            types.append(self.operand().type)
        return types

    def value(self, kind: Type) -> Operand:
        """Pass a value whose type is known, and keep it as an operand."""
        found = self.unkept(kind)
        self.operands.append(found)
        return found

    def argument(self) -> Operand:
        """Pass an argument of a call: type, attributes and value."""
        kind = self.type()
        return self.unkept(kind, self.attributes())

    def unkept(self, kind: Type, attributes: Attributes = _NO_ATTRIBUTES) -> Operand:
        """Pass a value and return it without keeping it."""
        word = self._lexemes[self._at]
        if word[:1] == "%":
            return Operand(kind, _HOLE_ALONE, (self.local(),), attributes)
        if word[:1] in _LONE_STARTS and kind is not METADATA:
            self._at += 1
            return Operand(kind, (word,), (), attributes)
        return self._spelt_out(kind, attributes)

    def _spelt_out(self, kind: Type, attributes: Attributes) -> Operand:
        """Pass a value that may be more than one lexeme."""
        start, first = self._at, len(self.locals)
        if kind is METADATA:
            self._pass_metadata()
        else:
            self._pass_constant()
        spelling = self._lexemes[start : self._at]
        for place in self.locals[first:]:
            spelling[place - start] = HOLE
        return Operand(kind, tuple(spelling), tuple(range(first, len(self.locals))), attributes)

    def _pass_constant(self) -> None:
        """Pass a constant: a word, a number, an aggregate or an expression with its bracket."""
        word = self.take()
        if word in OPEN:
            self._pass_bracket(self._at - 1)
        elif word in _NAMES_A_FUNCTION:
            self._at += 1
        elif word == "asm":
            while not self.next.startswith('"'):
                self._at += 1
            self.take()
            self.expect(",")
            self.take()
        elif word[0].isalpha() and word not in CONSTANT_WORDS and not word.startswith('c"'):
            while self.next != "(":
                self._at += 1
                if self._lexemes[self._at - 1] == "inrange":
                    self._pass_bracket(self._at)
            self._pass_bracket(self._at)

    def _pass_bracket(self, opening: int) -> None:
        """Pass a bracket and all in it, noting the labels of block addresses."""
        end = closing(self._lexemes, opening) + 1
        inside = self._lexemes[opening - 1 : end]
        for at, lexeme in enumerate(inside):
            if lexeme == "blockaddress":
                self.locals.append(opening - 1 + at + 4)
                self.block_addresses.append((len(self.locals) - 1, inside[at + 2]))
        self._at = end

    def _pass_metadata(self) -> None:
        """Pass metadata as an argument: a node, a string, or a value as metadata."""
        first = self.take()
        if first[0] != "!":
            self._at -= 1
            self.unkept(self.type())
        elif self.next in ("(", "{"):
            self.take()
            while self.next not in (")", "}"):
                if self.next[0] == "%":
                    self.local()
                else:
                    self._at += 1
            self.take()

    def access(self) -> None:
        """Pass what ends an atomic or plain access: scope, ordering, alignment."""
        if self.accept("syncscope"):
            self.expect("(")
            self.scope = self.take()
            self.expect(")")
        self.ordering = self.take_words(ORDERINGS)
        self.align()

    def align(self) -> None:
        """Pass ``, align n`` if it stands here."""
        if self.next == "," and self._lexemes[self._at + 1] == "align":
            self._at += 2
            self.alignment = int(self.take())

    def form(self, has_result: bool, kind: Type) -> Form:
        """Return what has been read, which must be all there is.

        Raises:
            ValueError: lexemes are left.
        """
        if self.next:
            raise ValueError(f"unexpected {self.next}")
        spelling = self._lexemes[:-1]
        for place in self.locals:
            spelling[place] = HOLE
        return Form(
            lexemes=tuple(spelling),
            opcode=self.opcode,
            has_result=has_result,
            type=kind,
            operands=tuple(self.operands),
            labels=tuple(self.labels),
            flags=tuple(self.flags),
            predicate=self.predicate,
            element=self.element,
            indices=tuple(self.indices),
            clauses=tuple(self.clauses),
            ordering=tuple(self.ordering),
            scope=self.scope,
            alignment=self.alignment,
            call=self.call,
            unwinds_to_caller=self.unwinds_to_caller,
            block_addresses=tuple(self.block_addresses),
        )
