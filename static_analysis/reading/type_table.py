"""The types of a module: read from lexemes, each made once."""

from collections.abc import Iterator, Mapping, Sequence

from static_analysis.reading.keywords import CLOSE, OPEN
from static_analysis.reading.types import (
    POINTER,
    WORDS,
    ArrayType,
    FunctionType,
    IntegerType,
    PointerType,
    StructType,
    TargetType,
    Type,
    VectorType,
)

_SUFFIXES = ("(", "addrspace")  # a type goes on with its parameters or its address space


def starts_type(lexeme: str) -> bool:
    """Say whether a lexeme can be the first one of a type."""
    return lexeme[0] in "%[{<" or lexeme in WORDS or lexeme == "target" or _is_integer(lexeme)


def _is_integer(lexeme: str) -> bool:
    return lexeme[0] == "i" and lexeme[1:].isdecimal()


class TypeTable(Mapping[str, Type]):
    """The types of a module; as a mapping, its named types by lexeme."""

    def __init__(self) -> None:
        self._named: dict[str, Type] = {}
        self._words: dict[str, Type] = dict(WORDS)
        self._built: dict[tuple[object, ...], Type] = {(PointerType, 0): POINTER}

    def __getitem__(self, name: str) -> Type:
        return self._named[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._named)

    def __len__(self) -> int:
        return len(self._named)

    def define(self, definition: Sequence[str]) -> None:
        """Take in the lexemes of one line ``%name = type …``.

        A structure that others have named before is filled in, so that it stays one object.
        """
        name = definition[0]
        struct = self._named.setdefault(name, StructType(name, None, False))
        if definition[3] != "opaque":
            body, _ = self.parse(definition, 3)
            if isinstance(struct, StructType) and isinstance(body, StructType):
                struct.fields, struct.packed = body.fields, body.packed
            else:
                self._named[name] = body

    def parse(self, lexemes: Sequence[str], at: int = 0) -> tuple[Type, int]:
        """Return the type that starts at ``at`` and the place after it.

        What is read waits on a stack until its bracket closes; recursion would end at some depth.

        Raises:
            ValueError: no type starts there.
            IndexError: the lexemes end inside it.
        """
        word = self._words.get(lexemes[at])
        if word is not None and (at + 1 == len(lexemes) or lexemes[at + 1] not in _SUFFIXES):
            return word, at + 1
        read: list[Type | str] = []
        opened: list[int] = []
        while True:
            lexeme = lexemes[at]
            at += 1
            if lexeme in OPEN:
                opened.append(len(read))
                read.append(lexeme)
            elif lexeme in CLOSE:
                start = opened.pop()
                bracket, *members = read[start:]
                del read[start:]
                read.append(self._bracketed(bracket, members, read))
            else:
                read.append(self._word(lexeme))
            if not opened and (at == len(lexemes) or lexemes[at] not in _SUFFIXES):
                break
        if len(read) != 1 or not isinstance(read[0], Type):
            raise ValueError(f"no type: {read[0]}")
        return read[0], at

    def vector_like(self, shape: Type, element: Type) -> Type:
        """Return ``element``, or vectors of it where ``shape`` is a vector type."""
        if isinstance(shape, VectorType):
            return self._build(VectorType, shape.count, element, shape.scalable)
        return element

    def pointer(self, address_space: int = 0) -> Type:
        """Return the type of a pointer."""
        return self._build(PointerType, address_space)

    def boolean(self) -> Type:
        """Return ``i1``."""
        return self.parse(("i1",))[0]

    def literal_struct(self, *fields: Type) -> Type:
        """Return ``{ fields }``."""
        return self._build(StructType, "", fields, False)

    def function(self, result: Type, parameters: Sequence[Type], variadic: bool) -> FunctionType:
        """Return the type of a function."""
        found = self._build(FunctionType, result, tuple(parameters), variadic)
        assert isinstance(found, FunctionType)
        return found

    def _word(self, lexeme: str) -> Type | str:
        """Return the type a lexeme is alone; the lexeme itself if it is none."""
        known = self._words.get(lexeme)
        if known is not None:
            return known
        if lexeme[0] == "%":
            return self._named.setdefault(lexeme, StructType(lexeme, None, False))
        if _is_integer(lexeme):
            return self._words.setdefault(lexeme, IntegerType(int(lexeme[1:])))
        return lexeme

    def _bracketed(
        self, bracket: Type | str, members: list[Type | str], before: list[Type | str]
    ) -> Type:
        """Build the type whose bracket has closed; what the bracket belongs to ends ``before``."""
        types = tuple([member for member in members if isinstance(member, Type)])
        if bracket == "[":
            return self._build(ArrayType, int(str(members[0])), types[0])
        if bracket == "{":
            return self._build(StructType, "", types, False)
        if bracket == "<" and len(members) == 1 and isinstance(types[0], StructType):
            return self._build(StructType, "", types[0].fields, True)
        if bracket == "<":
            return self._build(VectorType, int(str(members[-3])), types[0], len(members) > 3)
        owner = before.pop()
        if owner == "addrspace":
            before.pop()
            return self._build(PointerType, int(str(members[0])))
        if owner == "target":
            arguments = tuple([member for member in members if member != ","])
            return self._build(TargetType, arguments)
        return self._build(FunctionType, owner, types, members[-1:] == ["..."])

    def _build(self, kind: type[Type], *parts: object) -> Type:
        key = (kind, *parts)
        found = self._built.get(key)
        if found is None:
            found = self._built[key] = kind(*parts)
        return found
