import pytest

from static_analysis.memory.constant_pointers import ConstantPointers
from static_analysis.memory.layout import Layout
from static_analysis.memory.origins import EXTERNAL, GLOBAL, NOTHING, UNKNOWN
from static_analysis.reading.lexer import lexemes
from static_analysis.reading.reader import read_module

MODULE = """
%struct.s = type { i8, i32, [4 x i16] }
@g = global [4 x %struct.s] zeroinitializer
@c = constant i32 1
@e = external global i32
@w = weak global i32 0
@none = global [0 x i32] zeroinitializer
@a = alias i32, ptr @c
declare void @f()
"""


def address(text, module=MODULE):
    read = read_module(module)
    pointers = ConstantPointers(read, Layout(read.datalayout))
    return pointers.address(tuple(lexemes(text)))


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("@g", 0),
        ("getelementptr inbounds (i8, ptr @g, i64 12)", 12),
        ("getelementptr inbounds ([4 x %struct.s], ptr @g, i64 0, i64 1, i32 2, i64 3)", 16 + 14),
        ("getelementptr (%struct.s, ptr getelementptr (i8, ptr @g, i64 4), i64 -1)", 4 - 16),
        ("getelementptr inbounds inrange(-4, 12) (i8, ptr @g, i64 4)", 4),
        ("addrspacecast (ptr addrspace(1) @g to ptr)", 0),
        ("getelementptr (i8, ptr addrspace(1) @g, i64 1)", 1),
    ],
)
def test_constant_offsets(text, offset):
    origin, at, terms, _ = address(text)
    assert (origin.kind, at, terms) == (GLOBAL, offset, ())


@pytest.mark.parametrize(
    "text",
    [
        "getelementptr (i32, ptr @g, i64 ptrtoint (ptr @f to i64))",
        "inttoptr (i64 ptrtoint (ptr @g to i64) to ptr)",
        "inttoptr (i64 5 to ptr)",
    ],
)
def test_other_expressions_may_be_anywhere(text):
    assert address(text)[0].kind == UNKNOWN


def test_an_unknown_offset_stays_in_its_global():
    text = "getelementptr (i8, ptr @g, i64 sub (i64 4, i64 1))"
    origin, _, terms, _ = address(text)
    assert origin.kind == GLOBAL
    assert terms


def test_kinds_of_globals():
    assert address("@c")[0].is_constant
    assert not address("@g")[0].is_constant
    assert address("@e")[0].kind == EXTERNAL
    assert address("@f")[0].kind == EXTERNAL
    assert address("@a")[0].kind == UNKNOWN
    assert address("null")[0].kind == NOTHING
    assert address("undef")[0].kind == NOTHING
    valid = "attributes #0 = { null_pointer_is_valid }"
    assert address("null", valid)[0].kind == UNKNOWN


def test_sizes_are_those_that_cannot_change():
    assert [address(name)[0].size for name in ("@g", "@w", "@none")] == [64, None, None]


def test_expressions_may_nest_deeply():
    nested = "getelementptr (i8, ptr " * 3000 + "@g" + ", i64 1)" * 3000
    assert address(nested)[0].kind == GLOBAL
