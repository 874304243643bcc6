import pytest

from static_analysis import analyse, opcode

MODULE = """
%struct.list_node = type {{ i32, ptr }}
%0 = type {{ i8 }}
@table = global [4 x i32] zeroinitializer
@.str.2 = private constant [3 x i8] c"%d\\00"
define i32 @f(i32 %a, float %c, ptr %p) {{
  {instruction}
  ret i32 %a
}}
declare i32 @printf(ptr, ...)
declare void @_ZN5Stack4pushEi(i32)
"""


def tokens(instruction):
    (function,) = analyse(MODULE.format(instruction=instruction))
    return " ".join(function.tokens[0])


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("%x = add nsw i32 %a, -1, !dbg !7", "v3 = add nsw i32 v0 , #-1"),
        ("%x = load i32, ptr %p, align 4, !tbaa !3", "v3 = load i32 , ptr v2"),
        (
            "%x = tail call i32 (ptr, ...) @printf(ptr noundef nonnull @.str.2, i32 %a) #4",
            "v3 = call i32 ( ptr , ... ) @printf </func> ( ptr @d </text> , i32 v0 )",
        ),
        ("call void @_ZN5Stack4pushEi(i32 1)", "call void @stack @push </func> ( i32 #1 )"),
        (
            "%x = getelementptr inbounds %struct.list_node, ptr %p, i32 0, i32 1",
            "v3 = getelementptr inbounds %list %node </type> , ptr v2 , i32 #0 , i32 #1",
        ),
        ("%x = load [4 x i32], ptr @table", "v3 = load [ #4 x i32 ] , ptr @table </const>"),
        ("store %0 zeroinitializer, ptr %p", "store %anonymous </type> zeroinitializer , ptr v2"),
        ("%x = fmul fast float %c, 0x3FB99999A0000000",
         "v3 = fmul fast float v1 , #0.10000000149011612"),
        ('%x = call i32 asm "bswap $0", "=r,r"(i32 %a)',
         "v3 = call i32 asm @bswap @0 </text> , @r @r </text> ( i32 v0 )"),
        ("%x = tail call fastcc noundef nonnull ptr @g(ptr noundef align 8 dereferenceable(4) %p, "
         'ptr byval({ i32 }) align 4 %p, i32 range(i32 0, 4) %a) #2 [ "tag"(i32 1) ], !srcloc !4',
         "v3 = call ptr @g </const> ( ptr v2 , ptr byval ( { i32 } ) v2 , i32 v0 ) "
         "[ @tag </text> ( i32 #1 ) ]"),
        ('call void @f(metadata !"fp.strict", metadata !7, metadata ptr %p)',
         "call void @f </func> ( metadata @fp @strict </text> , metadata ! , metadata ptr v2 )"),
        ("store %struct.lost { i8 1 }, ptr %p", "store %lost </type> { i8 #1 } , ptr v2"),
    ],
)  # fmt: skip
def test_instructions_as_tokens(instruction, expected):
    assert tokens(instruction) == expected


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("%0 = alloca %0", "v3 = alloca %anonymous </type>"),
        (
            "%0 = getelementptr %0, ptr %p, i64 0",
            "v3 = getelementptr %anonymous </type> , ptr v2 , i64 #0",
        ),
        ("%0 = load [2 x %0], ptr %p", "v3 = load [ #2 x %anonymous </type> ] , ptr v2"),
    ],
)
def test_a_type_and_a_local_may_share_a_name(instruction, expected):
    assert tokens(instruction) == expected


def test_a_local_that_shares_its_name_with_a_type_stays_a_local():
    text = MODULE.format(instruction="%0 = add i32 %a, 1\n  %1 = add i32 %0, %0")
    (function,) = analyse(text)
    assert " ".join(function.tokens[1]) == "v4 = add i32 v3 , v3"


def test_opcode():
    assert opcode(["v1", "=", "load", "i32"]) == "load"
    assert opcode(["ret", "void"]) == "ret"
    assert opcode(["unreachable"]) == "unreachable"
    with pytest.raises(ValueError, match="at least one"):
        opcode([])


LITERALS = r"""
@.str = private unnamed_addr constant [14 x i8] c"Not found: %s\0A\00", align 1
@.str.1 = private unnamed_addr constant [5 x i8] c"\22hi\22\00", section "text"
@.str.2 = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@.str.3 = private unnamed_addr constant [3 x i8] c"\0A-\00"
@__func__.f = private unnamed_addr constant [2 x i8] c"f\00"
@greeting = internal constant [6 x i8] c"hello\00"
@buffer = private global [6 x i8] c"hello\00"
@__const.f.table = private constant [2 x i8] c"\01\02"
@switch.table.f = private unnamed_addr constant [3 x i8] c"q\01\00"
@"__func__.-[A b]" = private constant [2 x i8] c"b\00"
@__const.f.word = private constant [3 x i8] c"no\00"
@zeros = private constant [4 x i8] zeroinitializer
@wide = private constant [1 x i32] [i32 104]
define ptr @f() {{
  ret ptr {name}
}}
"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("@.str", "@not @found @s </text>"),
        ("@.str.1", "@hi </text>"),
        ("@.str.2", "</text>"),
        ("@.str.3", "</text>"),
        ("@__const.f.word", "@no </text>"),
        # A function's own name, what no one has written as a string, what has a name of its own,
        # and what can be written to.
        ('@"__func__.-[A b]"', "@func @a @b </const>"),
        ("@__const.f.table", "@const @f @table </const>"),
        ("@switch.table.f", "@switch @table @f </const>"),
        ("@zeros", "@zeros </const>"),
        ("@__func__.f", "@func @f </const>"),
        ("@greeting", "@greeting </const>"),
        ("@buffer", "@buffer </const>"),
        ("@wide", "@wide </const>"),
    ],
)
def test_a_string_literal_is_what_it_says(name, expected):
    (function,) = analyse(LITERALS.format(name=name))
    assert " ".join(function.tokens[0]) == f"ret ptr {expected}"
    assert " ".join(function.environment[0]).endswith(expected)
