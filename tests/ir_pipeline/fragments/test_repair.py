import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_pipeline.fragments.repair import dialects, edited, first_attempt


@pytest.mark.parametrize(
    ("code", "repaired", "repairs"),
    [
        ("void main(){}", "int main(){}", ("void main",)),
        ("void  main ()\n{}", "int  main ()\n{}", ("void main",)),
        ("int a;\nmain() {}", "int a;\nint main() {}", ("bare main",)),
        ("int main() {}", "int main() {}", ()),
        ("void domain(int x) {}", "void domain(int x) {}", ()),
        ("static int main2(void);", "static int main2(void);", ()),
        ('char *s = "void main() {}";', 'char *s = "void main() {}";', ()),
        ("/* void main() {} */", "/* void main() {} */", ()),
    ],
)
def test_main_returns_int(code, repaired, repairs):
    attempt = first_attempt(code)
    assert attempt.code.decode() == repaired
    assert attempt.repairs == repairs


def test_line_numbers_are_those_of_the_fragment():
    lines = first_attempt("int x;").text.decode().splitlines()
    assert lines == ["#include <bits/stdc++.h>", "using namespace std;", "#line 1", "int x;"]


def test_a_fragment_is_tried_as_old_cxx_then_as_c_then_as_newer_cxx():
    found = dialects(first_attempt("int x;"), any_std=True)
    assert [(attempt.language, attempt.std) for attempt in found] == [
        ("c++", "c++98"),
        ("c", "gnu89"),
        ("c++", "gnu++17"),
    ]
    assert [attempt.repairs for attempt in found] == [
        (),
        ("compiled as C",),
        ("compiled as C++17",),
    ]
    assert b"using namespace" not in found[1].text


def test_an_asked_standard_is_the_only_one_tried():
    first = first_attempt("int x", "c99")
    assert (first.language, first.std) == ("c", "c99")
    assert dialects(first, any_std=False) == [first]


def test_edits_are_made_in_the_order_of_their_places():
    assert edited(b"abcdef", [(5, 6, b"F"), (1, 2, b""), (0, 0, b">")]) == b">acdeF"


def test_of_two_edits_that_overlap_the_first_counts():
    assert edited(b"abcdef", [(2, 4, b"X"), (1, 3, b"Y")]) == b"aYdef"


@given(st.binary(max_size=20), st.lists(st.tuples(st.integers(0, 20), st.binary(max_size=3))))
def test_insertions_lose_nothing(code, places):
    text = edited(code, [(place, place, new) for place, new in places])
    rest = iter(text)
    assert all(byte in rest for byte in code)
