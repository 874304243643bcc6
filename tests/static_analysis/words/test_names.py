import pytest

from static_analysis.reading.reader import read_module
from static_analysis.words.names import AnonymousNames, unescape


@pytest.mark.parametrize(
    ("lexeme", "name"),
    [
        ("@main", "main"),
        ("%12", "12"),
        (r'@"a\22b\5C"', 'a"b\\'),
        (r'@"\C3\A9t\C3\A9"', "été"),
        ('@"été"', "été"),
        (r'@"\FFx"', r"\xffx"),
        ('%"class.a::B<int, char>"', "class.a::B<int, char>"),
        (r'@"\01_name"', "\x01_name"),
    ],
)
def test_escapes_are_read(lexeme, name):
    assert unescape(lexeme) == name


def test_raw_bytes_that_are_no_utf8_stay_visible():
    assert unescape(b'@"a\xff"'.decode("utf-8", "surrogateescape")) == r"a\xff"


def test_arguments_first_then_results_in_order_whatever_they_are_called():
    def names(text):
        return AnonymousNames().of(read_module(text).functions[0])

    plain = names(
        "define i32 @f(i32 %0) {\n  %2 = add i32 %0, 1\n  br label %3\n\n3:\n  ret i32 %2\n}\n"
    )
    assert plain == {"%0": "v0", "%2": "v1", "%1": "l0", "%3": "l1", "%": "elsewhere"}
    named = names(
        "define i32 @f(i32 %x) {\nin:\n  %y = add i32 %x, 1\n  br label %z\n\nz:\n  ret i32 %y\n}\n"
    )
    assert sorted(named.values()) == sorted(plain.values())
