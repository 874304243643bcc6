import pytest

from static_analysis.memory.library import (
    LIBRARY_FUNCTIONS,
    library_functions,
    uses_addresses,
)
from static_analysis.reading.reader import read_module

LETTERS = set("-rwWclops*")


@pytest.mark.parametrize("name", LIBRARY_FUNCTIONS)
def test_entries_are_well_formed(name):
    known = LIBRARY_FUNCTIONS[name]
    assert set(known.arguments) <= LETTERS
    assert known.result in ("", "0", "~0", "fresh", "made")
    if "W" in known.arguments:
        assert len(known.arguments) == 3
    if "c" in known.arguments:
        assert known.arguments[known.arguments.index("c") + 1] == "w"
    if set("ps") & set(known.arguments):
        assert known.arguments[-2] in "ps"
        assert known.arguments[-1] == "*"


@pytest.mark.parametrize(
    ("declaration", "is_known"),
    [
        ("declare i64 @strlen(ptr)", True),
        ("declare i64 @strlen(i32)", False),
        ("declare i64 @strlen(ptr, ptr)", False),
        ("define i64 @strlen(ptr %p) {\n ret i64 0\n}", False),
        ("declare i32 @printf(ptr, ...)", True),
        ("declare i32 @printf(...)", True),
        ("declare i32 @fprintf(ptr, ptr, ...)", True),
        ("declare i32 @getchar()", True),
        ("declare i32 @unheard_of(ptr)", False),
        ("declare ptr @_ZNSirsERi(ptr, ptr)", True),
        ("declare ptr @_ZNSt3__113basic_istreamIcNS_11char_traitsIcEEErsERi(ptr, ptr)", True),
    ],
)
def test_a_library_function_is_known_by_name_and_parameters(declaration, is_known):
    assert bool(library_functions(read_module(declaration))) == is_known


@pytest.mark.parametrize(
    "mention",
    [
        "declare void @setbuf(ptr, ptr)",
        "declare ptr @fmemopen(ptr, i64, ptr)",
        "@_ZTISt15basic_streambufIcSt11char_traitsIcEE = external constant ptr",
        "declare void @_ZNSt3__115basic_streambufIcNS_11char_traitsIcEEEC2Ev(ptr)",
    ],
)
def test_streams_are_unknown_where_they_may_write_the_programs_memory(mention):
    module = read_module(f"{mention}\ndeclare i32 @puts(ptr)\ndeclare i64 @strlen(ptr)\n")
    assert list(library_functions(module)) == ["@strlen"]


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("%d", False),
        ("%p", True),
        ("%d%n", True),
        ("%5lln", True),
        ("100%%n", False),
        ("%-*.3hhn", True),
    ],
)
def test_formats_that_count_or_print_addresses(text, used):
    module = read_module(f'@f = private constant [9 x i8] c"{text}\\00"\n')
    assert uses_addresses(module, ["@f"]) == used


def test_formats_that_may_change_may_use_addresses():
    module = read_module('@f = global [3 x i8] c"%d\\00"\n')
    assert uses_addresses(module, ["@f"])
    assert uses_addresses(module, ["%"])
