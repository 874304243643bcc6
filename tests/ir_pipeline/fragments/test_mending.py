import pytest

from ir_pipeline.errors import LoweringError
from ir_pipeline.lowering.frontend import Frontend

LOOP = "for (int i = 0; i < 9; i++) { cout << i; }"


@pytest.fixture
def lowered(toolchain, limits, tmp_path):
    """Lowers a fragment; gives its IR and the attempt that worked."""

    def lower(code, std=None):
        data, attempt = Frontend(toolchain, limits, tmp_path, std).compile_fragment(code)
        return data.decode(), attempt

    return lower


@pytest.mark.parametrize(
    ("code", "repairs", "mended"),
    [
        # What is missing is N; i and a are echoes of it.
        ("int main() { cin >> *new int; int a[N], i; for (i = 0; i < N; i++) a[i] = i; }",
         ("undefined constant",), "#define N 1000"),
        ("int main() { char s[max + 1]; cin >> s; }", ("undefined constant",), "#define max 1000"),
        ("struct s { int x; } *p; int main() { cin >> p->x; p = null; }",
         ("other name",), "#define null NULL"),
        ("int map[9]; int main() { cin >> map[1]; }", ("name of the library",), "#define map map_"),
        ("float abs(float x) { return x < 0 ? -x : x; } int main() { cout << abs(2.5f); }",
         ("name of the library",), "#define abs abs_"),
        ("int main() { cout << cube(3); }", ("undeclared function",), "cube(...)"),
        ("int main() { " + LOOP + " int k = i; }", ("loop variable used after its loop",),
         "{int i;  for ( i = 0;"),
        ("#include <conio.h>\n#include <iostream.h>\nint main() { cout << 1; }",
         ("missing header",), "#line 1\n\n\nint main()"),
        ("int main() { for (int i = 0; i < 9; i++) { int i = 2; cout << i; } }",
         ("loop variable declared again",), "{{ int i = 2; cout << i; }}"),
        ("int main() { int a = 3\n cout << a\n; }", ("missing ';'",), "int a = 3;\n"),
        ("struct s { int x; }; int main() { s *p = new s; p.x = 1; }",
         ("wrong member operator",), "p->x = 1;"),
        ("twice(int x) { cout << x; return 2 * x; }\nint main() { return twice(3); }",
         ("missing return type",), "int twice(int x)"),
        ("int main() { cout << 1; } }", ("superfluous brace",), "cout << 1; } "),
        ("int main() { if (1) { cout << 1;", ("missing brace",), "cout << 1;\n}\n}"),
    ],
)  # fmt: skip
def test_each_kind_of_breakage_is_mended_and_named(lowered, code, repairs, mended):
    text, attempt = lowered(code)
    assert "define" in text
    assert attempt.repairs == repairs
    assert mended in attempt.text.decode()
    assert attempt.language == "c++"


@pytest.mark.parametrize(
    "code",
    [
        "int new; int main(void) { return new; }",
        "int main(void) { char *p; p = malloc(3); return p == 0; }",
        "int f(); int main(void) { return f(1, 2); }",
    ],
)
def test_what_is_right_in_some_dialect_is_compiled_as_it_is(lowered, code):
    _, attempt = lowered(code)
    assert attempt.code.decode() == code
    assert attempt.added == ()


def test_a_name_of_the_library_that_a_program_uses_as_such_stays(lowered):
    _, attempt = lowered("int main() { map<int, int> m; m[1] = N; }")
    assert attempt.added == ("#define N 1000",)


def test_broken_cxx_is_not_made_c_by_giving_its_streams_numbers(lowered):
    with pytest.raises(LoweringError):
        lowered("int main() { int n, *p = 5 +; cin >> n; n = new; }")


def test_hopeless_text_is_given_up_with_its_first_error(lowered):
    with pytest.raises(LoweringError, match=r"program\.cpp:2:\d+: error"):
        lowered("int x;\n)]} what is this")
    with pytest.raises(LoweringError, match=r"program\.c:2:\d+: error"):
        lowered("int x;\nint f( { }", "gnu89")
