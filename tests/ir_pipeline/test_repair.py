import pytest

from ir_pipeline.repair import first_attempt, further_attempts


@pytest.mark.parametrize(
    ("code", "repaired", "repairs"),
    [
        ("void main(){}", "int main(){}", ("void main",)),
        ("void  main ()\n{}", "int  main ()\n{}", ("void main",)),
        ("int a;\nmain() {}", "int a;\nint main() {}", ("bare main",)),
        ("int main() {}", "int main() {}", ()),
        ("void domain(int x) {}", "void domain(int x) {}", ()),
        ("static int main2(void);", "static int main2(void);", ()),
    ],
)
def test_main_returns_int(code, repaired, repairs):
    attempt = first_attempt(code)
    assert attempt.code == repaired
    assert attempt.repairs == repairs


def test_line_numbers_are_those_of_the_fragment():
    lines = first_attempt("int x;").text.splitlines()
    assert lines == ["#include <bits/stdc++.h>", "using namespace std;", "#line 1", "int x;"]


def test_undeclared_names_become_constants_once():
    said = "a:1: error: use of undeclared identifier 'N'\n" * 2
    constants, as_c, newer = further_attempts(first_attempt("int a[N];"), said, any_std=True)
    assert constants.constants == ("N",)
    assert "#define N 1000" in constants.text
    assert (as_c.language, as_c.std) == ("c", "gnu89")
    assert "using namespace" not in as_c.text
    assert newer.std == "gnu++17"


def test_an_asked_standard_is_the_only_one_tried():
    first = first_attempt("int x", "c99")
    assert (first.language, first.std) == ("c", "c99")
    assert further_attempts(first, "error: expected ';'", any_std=False) == []
