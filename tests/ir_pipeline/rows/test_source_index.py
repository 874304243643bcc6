import pytest

from ir_pipeline.rows.source_index import SourceIndex

OVERLOADS = b"""
int over(int a) { return a; }
int over(int a, int b) { return a + b; }
"""
# Two lines that open a block, in the manner of zlib's inflate.c.
SPLIT = b"""
int EXPORT first(a)
    int a;
{
    while (a) {
#ifdef GUNZIP
        if (a == 7) {
            return 3;
        }
        if (!(a & 1) ||
#else
        if (
#endif
            a % 31) {
            return 1;
        }
        a--;
    }
    return 0;
}

/* Of second. */
int EXPORT second(a)
    int a;
{
    return a;
}

// Of third.
third() { return 3; }
"""
TWICE = b"""
#if defined(A)
// The one.
int f(int x) { return 1; }
#else
// The other.
int f(x) int x; { return 2; }
#endif
"""


def never():
    pytest.fail("the compiler is asked though the text tells all")


def test_old_c_functions_without_a_return_type_are_found():
    index = SourceIndex(b"int z;\n// The sign is lost.\nabs(int x) { return x; }\nmain() {}\n", "c")
    assert index.find("abs").text == "abs(int x) { return x; }"
    assert index.find("abs").doc == "// The sign is lost."
    assert index.find("main").text == "main() {}"
    assert index.find("z") is None


def test_overloads_are_known_but_have_no_one_text():
    index = SourceIndex(b"#if A\n#ifdef B\n#endif" + OVERLOADS + b"#endif", "c++", never)
    assert index.find("over") is None
    assert index.find("absent") is None
    assert "over" in index
    assert "absent" not in index


def test_overloads_are_told_apart_by_their_number_of_parameters():
    code = OVERLOADS + b"int over(...) { return 0; }\nint none(void) { return 0; }"
    index = SourceIndex(code, "c++")
    assert index.find("none", 0) is not None
    assert index.find("over", 2) is None  # the one that takes anything may be meant
    index = SourceIndex(OVERLOADS, "c++")
    assert index.find("over", 1).text == "int over(int a) { return a; }"
    assert index.find("over", 2).text == "int over(int a, int b) { return a + b; }"
    assert index.find("over", 3) is None


@pytest.mark.parametrize("taken", [{0}, {1}])
def test_a_block_opened_in_two_branches_hides_no_function(taken):
    index = SourceIndex(SPLIT, "c", lambda: taken)
    assert index.find("first").text == SPLIT[1 : SPLIT.index(b"\n\n/*")].decode()
    assert index.find("second").doc == "/* Of second. */"
    assert index.find("second").text.startswith("int EXPORT second(a)\n    int a;\n{")
    assert index.find("third").text == "third() { return 3; }"
    assert index.find("third").doc == "// Of third."


def test_what_the_text_itself_tells_is_not_asked_for():
    assert SourceIndex(SPLIT + TWICE, "c", never).find("absent") is None
    code = b"#ifdef A\nint f(void) { return 1; }\n#endif\nint g(void) { return 2; }"
    assert SourceIndex(code, "c", never).find("f").text == "int f(void) { return 1; }"


def test_what_the_compiler_takes_is_asked_for_once():
    asked = []
    index = SourceIndex(SPLIT + TWICE, "c", lambda: asked.append(1) or {0, 2})
    for _ in range(3):
        assert index.find("f").doc == "// The one."
        assert index.find("second") is not None
        assert index.find("even") is None
    assert asked == [1]


@pytest.mark.parametrize(("taken", "doc"), [({0}, "// The one."), ({1}, "// The other.")])
@pytest.mark.parametrize("language", ["c", "c++"])
def test_of_two_definitions_the_one_that_was_compiled_is_meant(taken, doc, language):
    code = TWICE.replace(b"f(x) int x;", b"f(long x)") if language == "c++" else TWICE
    assert SourceIndex(code, language, lambda: taken).find("f").doc == doc
    assert SourceIndex(code, language).find("f") is None
    assert SourceIndex(code, language, lambda: {0, 1}).find("f") is None


@pytest.mark.parametrize(
    "head",
    [
        "const char * EXPORT f(file, n)\n    FILE *file;\n    int n;\n",
        "char **f(n) int n;",
        "char *\nf(n, m) int n;",
        "extern int EXPORT f (void *file)",
        "static struct s *__init f(void)",
        "API number_t f (state_t *s)",
        "static UINT CALLBACK f(void)",
        "API_PUBLIC(char *) EXPORT f(void)",
    ],
)
def test_words_between_type_and_name_hide_no_function(head):
    text = f"{head}\n{{ return 0; }}"
    code = f"int before(void) {{ return 1; }}\n/* Of *EXPORT f(n) x. */\n{text}\n"
    found = SourceIndex(code.encode(), "c", never).find("f")
    assert found is not None
    assert found.text.endswith(text.removeprefix("API_PUBLIC(char *) ").removeprefix("API "))
    if "API" not in head:
        assert (found.text, found.doc) == (text, "/* Of *EXPORT f(n) x. */")


def test_text_that_is_not_utf8_is_cut_at_the_right_places():
    code = 'char *s = "ö"; /* ä */\n// ü\n'.encode() + b"char *f(n) int n; { return 0; /* \xff */ }"
    found = SourceIndex(code, "c").find("f")
    assert found.text == "char *f(n) int n; { return 0; /* \ufffd */ }"
    assert found.doc == "// ü"


@pytest.mark.parametrize("code", [b"*", b"* ", b"AAA ", b"*a(", b"__a", b"A A(", b"*f(a)"])
def test_the_time_to_look_for_what_is_not_there_is_bounded(code):
    SourceIndex(code * 5_000 + b"\n#if absent\n", "c", tuple).find("absent")
