import pytest
from hypothesis import given
from hypothesis import strategies as st

from static_analysis.reading.lexer import lexemes, without_comment


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%x = add nsw i32 %y, -1", ["%x", "=", "add", "nsw", "i32", "%y", ",", "-1"]),
        (
            r'call void @"a\22b\5C"(ptr %"class.a::B<int, char>")',
            ["call", "void", r'@"a\22b\5C"', "(", "ptr", '%"class.a::B<int, char>"', ")"],
        ),
        ('[4 x i8] c"a;b\\00"', ["[", "4", "x", "i8", "]", 'c"a;b\\00"']),
        ("double 0x7FF0000000000000", ["double", "0x7FF0000000000000"]),
        ("x86_fp80 0xK3FFF8000000000000000", ["x86_fp80", "0xK3FFF8000000000000000"]),
        ("float 1.000000e+00, float -2.5e-10", ["float", "1.000000e+00", ",", "float", "-2.5e-10"]),
        ("i32 (ptr, ...)", ["i32", "(", "ptr", ",", "...", ")"]),
        ("<{ i8, %0 }>", ["<", "{", "i8", ",", "%0", "}", ">"]),
        ("!dbg !12, !srcloc !{i32 1}", ["!dbg", "!12", ",", "!srcloc", "!", "{", "i32", "1", "}"]),
        ("call void @f() #3", ["call", "void", "@f", "(", ")", "#3"]),
        ("%a.b-c$d", ["%a.b-c$d"]),
        ('asm sideeffect "mov $0, %=;", "=r"', ["asm", "sideeffect", '"mov $0, %=;"', ",", '"=r"']),
    ],
)
def test_each_kind_of_lexeme(text, expected):
    assert lexemes(text) == expected


@given(st.text(st.characters(codec="utf-8", exclude_characters='"'), max_size=60))
def test_nothing_but_white_space_is_lost(text):
    assert "".join(lexemes(text)) == "".join(text.split())


def test_a_comment_ends_a_line_but_not_a_string():
    assert without_comment('@s = c"a;b" ; "rest"') == '@s = c"a;b"'
    assert without_comment("ret void") == "ret void"
