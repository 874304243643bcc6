import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_pipeline.sources.conditionals import blank, branches, marked, only_branches, seen

CODE = b"""\
#if A /* goes
 on */ && \\
    B
one
# ifdef C
two
#else // of C
three
#endif
#elif D
four
#endif
five
"""
NO_DIRECTIVES = [
    b"/*\n#if A\n*/",
    b"// a line that goes on \\\n#if A\n",
    b'char *s = R"x(\n#if A\n)" )x";',
    b'char *s = "/*"; int a; char c = \'"\';\n/*\n#if A\n*/',
    b"#define A #if\n#ifdefined\n#iff\n# include <if>\n",
    b"x #if A\n",
]
PIECES = st.sampled_from(
    [
        *(b"#if A", b"#ifdef B /* x", b"#else", b"#elif C", b"#endif", b"# endif // */", b"*/"),
        *(b"/*", b"//", b'"', b"'", b"\\", b'R"(', b')"', b"\n", b"\r\n", b"f(x)", b"\xff", b" "),
    ]
)


def bodies(code):
    return [code[branch.body : branch.stop].split() for branch in branches(code)]


def test_branches_are_found_with_all_that_belongs_to_their_line():
    inner = [b"#", b"ifdef", b"C", b"two", b"#else", b"//", b"of", b"C", b"three", b"#endif"]
    assert bodies(CODE) == [[b"one", *inner], [b"two"], [b"three"], [b"four"]]


@pytest.mark.parametrize("code", NO_DIRECTIVES)
def test_what_only_looks_like_a_directive_is_none(code):
    assert branches(code) == []
    assert only_branches(code, ()) == marked(code) == code


def test_a_directive_may_follow_a_comment_on_its_line():
    assert bodies(b"/* a\n*/ #if A\none\n /**/ # /**/ endif\n") == [[b"one"]]


def test_only_branches_leaves_the_rest_where_it_was():
    text = only_branches(CODE, {0, 2})
    assert [line.strip() for line in text.splitlines()] == [
        *(b"", b"", b"", b"one", b"", b"", b"", b"three", b"", b"", b"", b"", b"five"),
    ]
    assert text.index(b"three") == CODE.index(b"three")


def test_a_branch_in_one_that_is_not_taken_is_not_left():
    assert only_branches(CODE, {1, 2}).split() == [b"five"]


def test_marks_that_come_through_are_told_by_number():
    kept = [line for line in marked(CODE).splitlines() if not line.endswith(b" 1")]
    assert seen(b"\n".join(kept)) == {0, 2, 3}
    assert seen(marked(CODE)) == {0, 1, 2, 3}


@given(st.lists(PIECES).map(b"".join))
def test_whatever_the_text_nothing_moves_and_all_marks_are_taken_off(code):
    number = len(branches(code))
    for numbers in (range(number), ()):
        text = only_branches(code, numbers)
        assert blank(text) == blank(code)
        assert all(new in (old, 32) for new, old in zip(text, code, strict=True))
    assert seen(marked(code)) == set(range(number))


@pytest.mark.parametrize(
    "code", [b"/*", b'"', b'\\"', b"'", b'R"(', b"#if /*", b"/**/", b"\n#if A", b"\n#if A\n#else"]
)
def test_time_is_in_proportion_to_the_text(code):
    only_branches(code * 50_000, ())
