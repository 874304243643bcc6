import pytest

from ir_pipeline.rows.source_text import SourceIndex, function_sources

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


def test_old_c_functions_without_a_return_type_are_found():
    index = SourceIndex(b"int z;\n// The sign is lost.\nabs(int x) { return x; }\nmain() {}\n", "c")
    assert index.find("abs").text == "abs(int x) { return x; }"
    assert index.find("abs").doc == "// The sign is lost."
    assert index.find("main").text == "main() {}"
    assert index.find("z") is None


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
    index = SourceIndex(CXX, "c++")
    twice = index.find("twice")
    assert twice is not None
    assert twice.doc == "// Doubles."
    assert twice.text.startswith("template")


def test_overloads_are_known_but_have_no_one_text():
    index = SourceIndex(CXX, "c++")
    assert index.find("over") is None
    assert index.find("absent") is None
    assert "over" in index
    assert "absent" not in index


def test_overloads_are_told_apart_by_their_number_of_parameters():
    index = SourceIndex(CXX + b"int over(...) { return 0; }\nint none(void) { return 0; }", "c++")
    assert index.find("none", 0) is not None
    assert index.find("over", 2) is None  # the one that takes anything may be meant
    index = SourceIndex(CXX, "c++")
    assert index.find("over", 1).text == "int over(int a) { return a; }"
    assert index.find("over", 2).text == "int over(int a, int b) { return a + b; }"
    assert index.find("over", 3) is None


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
