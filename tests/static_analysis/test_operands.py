import pytest

from static_analysis.lexer import lexemes
from static_analysis.operands import parse_call, skip_type, split, value_of, without_ordering


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("i32 %x", "%x"),
        ("add nsw i32 %x", "%x"),
        ("[2 x i32] [i32 1, i32 2]", "[ i32 1 , i32 2 ]"),
        ("<4 x i32> splat (i32 1)", "splat ( i32 1 )"),
        ("{ i64, { i32 } } zeroinitializer", "zeroinitializer"),
        (
            "ptr getelementptr inbounds inrange(-16, 16) ({ [4 x ptr] }, ptr @v, i32 0)",
            "getelementptr inbounds inrange ( -16 , 16 ) ( { [ 4 x ptr ] } , ptr @v , i32 0 )",
        ),
        ("i64 ptrtoint (ptr @x to i64)", "ptrtoint ( ptr @x to i64 )"),
        ("ptr byval(%struct.S) %0", "%0"),
        ("ptr dso_local_equivalent @f", "@f"),
    ],
)
def test_the_value_ends_a_part(part, value):
    assert " ".join(value_of(lexemes(part))) == value


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("i32 %x", 1),
        ("[4 x { i8, ptr }] %x", 9),
        ("<{ i8 }> %x", 5),
        ('target("spirv.Image", void, 1) %x', 8),
        ("ptr addrspace(3) %x", 5),
        ("i32* %x", 2),
    ],
)
def test_types_are_skipped_whole(text, length):
    assert skip_type(lexemes(text), 0) == length


@pytest.mark.parametrize(
    ("text", "callee", "arguments"),
    [
        ("call void @f()", "@f", []),
        ("call i32 (ptr, ...) @printf(ptr @s, i32 %x)", "@printf", ["ptr @s", "i32 %x"]),
        ("call void %p(i32 1)", "%p", ["i32 1"]),
        ("call addrspace(1) void @f(i8 0)", "@f", ["i8 0"]),
        ("call void inttoptr (i64 5 to ptr)(i8 0)", "inttoptr ( i64 5 to ptr )", ["i8 0"]),
        ('call i32 asm "bswap $0", "=r,r"(i32 %x)', 'asm "bswap $0" "=r,r"', ["i32 %x"]),
        (
            'call void @f(ptr byval({ i8, i8 }) %x) [ "t"(i32 1) ]',
            "@f",
            ["ptr byval ( { i8 , i8 } ) %x"],
        ),
        ("invoke { ptr, i32 } @f(i1 true) to label %a unwind label %b", "@f", ["i1 true"]),
    ],
)
def test_calls(text, callee, arguments):
    call = parse_call(lexemes(text))
    assert " ".join(call.callee) == callee
    assert [" ".join(argument) for argument in call.arguments] == arguments


def test_orderings_are_cut_off():
    part = lexemes('ptr %p syncscope("agent") acq_rel monotonic')
    assert without_ordering(part) == (["ptr", "%p"], part[2:])
    assert without_ordering(["ptr", "%p"]) == (["ptr", "%p"], [])


def test_split_looks_at_outer_commas_only():
    assert split(lexemes("i32 1, { i8, i8 } %x")) == [
        ["i32", "1"],
        ["{", "i8", ",", "i8", "}", "%x"],
    ]
    assert split([]) == []
