import pytest

from ir_pipeline.rows.source_text import function_sources

C = b"""
/* Adds. */
int add(int a, int b) { return a + b; }
int x; /* trailing, not a doc */
int bare(void) { return 0; }

// Far away.

int apart(void) { return 1; }
// One
// two.
static char *(*pointer(int n))[3] { return 0; }
int old(a, b) int a; int b; { return a; }
"""

CXX = b"""
namespace ns {
/// A box.
template <class T> struct Box {
    // Makes one.
    explicit Box(T t) : t(t) {}
    ~Box() {}
    bool operator<(const Box &o) const { return t < o.t; }
    T t;
};
}
int over(int a) { return a; }
int over(int a, int b) { return a + b; }
// Doubles.
template <class T> T twice(T t) { return t + t; }
template <> int Other<int>::method() { return 1; }
"""


def test_c_functions_with_their_comments():
    found = {function.name: function for function in function_sources(C, "c")}
    assert found["add"].doc == "/* Adds. */"
    assert found["add"].text == "int add(int a, int b) { return a + b; }"
    assert found["bare"].doc is None
    assert found["apart"].doc is None
    assert [f.doc for f in found.values() if "pointer" in f.name] == ["// One\n// two."]
    assert found["old"].text.startswith("int old(a, b) int a;")


def test_cxx_functions_have_qualified_names():
    names = [function.name for function in function_sources(CXX, "c++")]
    assert names == [
        "ns::Box::Box",
        "ns::Box::~Box",
        "ns::Box::operator<",
        "over",
        "over",
        "twice",
        "Other::method",
    ]


def test_a_template_is_documented_above_the_word_template():
    [twice] = [f for f in function_sources(CXX, "c++") if f.name == "twice"]
    assert twice.doc == "// Doubles."
    assert twice.text.startswith("template")


def test_text_and_comments_are_as_written_where_that_differs_from_what_is_parsed():
    written = b"// Of EX f.\nEX int f(void)\n#if A\n{ return 1; }\n"
    code = b"// Of    f.\n   int f(void)\n     \n{ return 1; }\n"
    [function] = function_sources(code, "c", written=written)
    assert (function.name, function.doc) == ("f", "// Of EX f.")
    assert function.text == "int f(void)\n#if A\n{ return 1; }"
    assert written[function.start :].decode().startswith(function.text)


@pytest.mark.parametrize(
    ("above", "doc"),
    [
        (b"int x; // of x\n", None),
        (b"int x; /* of x\n   still of x */\n", None),
        (b"// first\nint x; // of x\n", None),
        (b"} // ends\n// of f\n", "// of f"),
        (b"/* of f */\n", "/* of f */"),
        (b"    // indented\n", "// indented"),
        (b"// one\n\n// of f\n", "// of f"),
        (b"#define X 1 /* of X */\n", None),
    ],
)
def test_only_a_comment_of_its_own_directly_above_is_documentation(above, doc):
    [function] = [f for f in function_sources(above + b"int f(void) { return 1; }", "c")]
    assert function.doc == doc


def test_scopes_that_end_before_a_function_do_not_name_it():
    code = b"namespace a { struct S { int m() { return 1; } }; int f() { return 1; } }\n"
    code += b"namespace b { namespace c { int f() { return 1; } } int f() { return 1; } }\n"
    code += b"struct T; struct T *f() { return 0; }"
    names = [function.name for function in function_sources(code, "c++")]
    assert names == ["a::S::m", "a::f", "b::c::f", "b::f", "f"]


@pytest.mark.parametrize("code", [b"", b"\xff\xfe\0", b"int f( {", b"}" * 1000, b"(" * 5000])
def test_text_that_is_no_program_is_survived(code):
    assert isinstance(function_sources(code, "c"), list)
    assert isinstance(function_sources(code, "c++"), list)
