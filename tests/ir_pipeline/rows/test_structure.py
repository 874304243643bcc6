import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_pipeline import lower
from ir_pipeline.rows.structure import OwnNames, stream_text, structure_hashes
from ir_pipeline.views.module_text import definitions
from static_analysis import analyse

C = """
#include <stdio.h>
struct node { int value; struct node *next; };
static int scale = 3;
static int helper(int x) { return x * scale; }
int total(struct node *list) {
    int sum = 0;
    for (; list; list = list->next) sum += helper(list->value);
    puts("done");
    return sum;
}
"""
RENAMED = (
    (C.replace("node", "CellOfList").replace("scale", "k").replace("helper", "timesThree"))
    .replace("done", "all is over")
    .replace("list", "p")
    .replace("sum", "s")
)


@pytest.fixture(scope="module")
def structures(tmp_path_factory):
    """The structures of a C file's functions, by name."""

    def of(code):
        file = tmp_path_factory.mktemp("code") / "a.c"
        file.write_text(code)
        text = lower(file)
        own = OwnNames(text, [function.name for function in definitions(text)])
        return structure_hashes({f.name: stream_text(f.tokens) for f in analyse(text)}, own)

    return of


@pytest.fixture(scope="module")
def original(structures):
    return structures(C)


def test_names_that_a_programmer_chose_do_not_count(structures, original):
    renamed = structures(RENAMED)
    assert renamed["total"] == original["total"]
    assert renamed["timesThree"] == original["helper"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('puts("done")', 'perror("done")'),  # what is called of a library
        ("sum += helper", "sum -= helper"),
        ("int sum = 0", "int sum = 1"),
        ("int value", "short value"),
        ("for (; list;", "for (; !list;"),
    ],
)
def test_what_is_done_counts(structures, original, old, new):
    assert C.count(old) == 1
    changed = structures(C.replace(old, new))
    assert changed["total"] != original["total"]
    assert changed["helper"] == original["helper"]


def test_functions_that_only_call_others_are_as_different_as_those(structures):
    code = "static int f(int x) {{ return {}; }} int g(int x) {{ return f(x); }}"
    assert structures(code.format("x + 1"))["g"] == structures(code.format("x + 1"))["g"]
    assert structures(code.format("x + 1"))["g"] != structures(code.format("x - 1"))["g"]


def test_one_name_used_twice_is_not_two_names(structures):
    head = "static int f(int x) { return x; } static int g(int x) { return x; }"
    same = structures(f"{head} int h(int x) {{ return f(f(x)) + g(x); }}")
    swapped = structures(f"{head} int h(int x) {{ return g(g(x)) + f(x); }}")
    other = structures(f"{head} int h(int x) {{ return f(g(x)) + g(x); }}")
    assert same["h"] == swapped["h"] != other["h"]


words = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=3).map(tuple)


@given(st.lists(words, min_size=1, max_size=8), st.permutations(list("abcdef")))
def test_any_renaming_that_keeps_names_apart_keeps_the_structure(names, letters):
    renaming = dict(zip("abcdef", letters, strict=True))

    def hashed(rename):
        spelt = ["".join(rename(letter) for letter in name) for name in names]
        module = "\n".join(f"@{'_'.join(name)} = global i32 0" for name in spelt)
        tokens = [["load", *(f"@{word}" for word in name), "</const>"] for name in spelt]
        return structure_hashes({"": stream_text(tokens)}, OwnNames(module, []))

    assert hashed(str) == hashed(renaming.__getitem__)


def test_variables_of_other_units_keep_their_names():
    own = OwnNames("@mine = internal global i32 0\n@theirs = external global i32\n", [])

    def hashed(name):
        return structure_hashes({"": f"load @{name} </const>"}, own)

    assert hashed("mine") != hashed("theirs") != hashed("others")
