import pytest
from hypothesis import given
from hypothesis import strategies as st

from static_analysis.reading.lexer import lexemes
from static_analysis.reading.type_table import TypeTable, starts_type
from static_analysis.reading.types import (
    ArrayType,
    FloatType,
    FunctionType,
    IntegerType,
    PointerType,
    SimpleType,
    StructType,
    TargetType,
    Type,
    VectorType,
)


def spelling(kind):
    """Print a type as LLVM does."""
    match kind:
        case SimpleType(name) | FloatType(name, _):
            return name
        case IntegerType(bits):
            return f"i{bits}"
        case PointerType(space):
            return f"ptr addrspace({space})" if space else "ptr"
        case ArrayType(count, element):
            return f"[{count} x {spelling(element)}]"
        case VectorType(count, element, scalable):
            return f"<{'vscale x ' if scalable else ''}{count} x {spelling(element)}>"
        case StructType(name, fields, packed):
            text = name or "{ " + ", ".join(map(spelling, fields)) + " }"
            return f"<{text}>" if packed and not name else text
        case FunctionType(result, parameters, variadic):
            listed = [*map(spelling, parameters), *["..."] * variadic]
            return f"{spelling(result)} ({', '.join(listed)})"
    raise AssertionError(kind)


leaves = st.sampled_from(
    ["i1", "i32", "float", "x86_fp80", "ptr", "ptr addrspace(3)", "%S", '%"a b"']
)
spellings = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds("[{} x {}]".format, st.integers(0, 99), inner),
        st.builds("<{} x {}>".format, st.integers(1, 99), inner),
        st.builds("<vscale x {} x {}>".format, st.integers(1, 99), inner),
        st.lists(inner, max_size=3).map(lambda parts: "{ " + ", ".join(parts) + " }"),
        st.lists(inner, max_size=3).map(lambda parts: "<{ " + ", ".join(parts) + " }>"),
        st.builds("{} ({})".format, inner, st.lists(inner, max_size=3).map(", ".join)),
        st.builds("{} ({}, ...)".format, inner, inner),
    ),
)


@given(spellings)
def test_a_type_is_read_as_it_is_printed_and_is_one_object(text):
    table = TypeTable()
    found = lexemes(text)
    kind, end = table.parse([*found, "%x"])
    assert end == len(found)
    assert spelling(kind) == text
    assert table.parse(found) == (kind, end)
    assert starts_type(found[0])


def test_what_follows_a_type_is_left():
    table = TypeTable()
    assert table.parse(lexemes("ptr addrspace(1) byval(i8) %x")) == (
        table.parse(["ptr", "addrspace", "(", "1", ")"])[0], 5
    )  # fmt: skip
    assert table.parse(["i32", ",", "i32"], 2)[1] == 3


def test_target_types():
    kind, end = TypeTable().parse(lexemes('target("spirv.Image", void, 1) %x'))
    assert (type(kind), end) == (TargetType, 8)
    name, argument, number = kind.arguments
    assert (name, argument.name, number) == ('"spirv.Image"', "void", "1")


def test_structures_may_be_named_before_they_are_defined():
    table = TypeTable()
    for line in (
        "%a = type { %b, ptr }",
        "%b = type <{ i8, %c }>",
        "%c = type opaque",
        "%n = type i7",
    ):
        table.define(lexemes(line))
    assert [field is table["%b"] for field in table["%a"].fields] == [True, False]
    assert (table["%b"].packed, table["%b"].fields[1]) == (True, table["%c"])
    assert table["%c"].fields is None
    assert table["%n"] is table.parse(["i7"])[0]
    assert list(table) == ["%a", "%b", "%c", "%n"]


def test_types_may_be_nested_deeper_than_python_recurses():
    kind, _ = TypeTable().parse(lexemes("[1 x " * 20_000 + "i8" + "]" * 20_000))
    for _ in range(20_000):
        kind = kind.element
    assert kind.bits == 8


@pytest.mark.parametrize(
    "text", ["add", "i32x", "i", "[ 4 x", "]", "( )", "[ a x i8 ]", "[ 4 x 5 ]"]
)
def test_what_is_no_type_is_refused(text):
    with pytest.raises((ValueError, IndexError)):
        TypeTable().parse(lexemes(text))


def test_every_type_is_a_type():
    assert isinstance(TypeTable().parse(["void"])[0], Type)
