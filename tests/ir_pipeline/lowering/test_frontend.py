import re
from dataclasses import replace

import pytest

from ir_pipeline.errors import LoweringError
from ir_pipeline.lowering.frontend import Frontend
from ir_pipeline.sources.units import Unit, file_unit


@pytest.fixture
def frontend(toolchain, limits, tmp_path):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    return Frontend(toolchain, limits, scratch)


def compiled(frontend, root, name, **changes):
    unit = replace(file_unit(root / name, root, "p"), **changes)
    return frontend.compile_file(unit).decode()


def test_code_at_o0_has_neither_checks_nor_debug_records_nor_optnone(frontend, tmp_path):
    (tmp_path / "a.c").write_text("int add(int a, int b) { return a + b; }")
    text = compiled(frontend, tmp_path, "a.c")
    assert "optnone" not in text
    assert "ubsan" not in text
    assert "!dbg" not in text


def test_no_absolute_path_gets_into_the_ir(frontend, tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/h.h").write_text("static const char *here(void) { return __FILE__; }")
    (tmp_path / "sub/a.c").write_text('#include "h.h"\nconst char *f(void) { return here(); }')
    assert str(tmp_path) not in compiled(frontend, tmp_path, "sub/a.c")


def test_headers_are_found_in_the_include_folders(frontend, tmp_path):
    (tmp_path / "include").mkdir()
    (tmp_path / "include/n.h").write_text("#define N 3")
    (tmp_path / "a.c").write_text("#include <n.h>\nint f(void) { return N; }")
    assert "ret i32 3" in compiled(frontend, tmp_path, "a.c")


def test_a_standard_counts_only_for_its_language(toolchain, limits, tmp_path):
    frontend = Frontend(toolchain, limits, tmp_path, std="c++98")
    (tmp_path / "a.c").write_text("int f(void) { return sizeof('a'); }")
    (tmp_path / "b.cpp").write_text("long f() { return __cplusplus; }")
    assert "ret i32 4" in compiled(frontend, tmp_path, "a.c")
    assert "199711" in compiled(frontend, tmp_path, "b.cpp")


def test_file_names_are_never_taken_for_options(frontend, tmp_path):
    for name in ("-c.c", "@a.c", "a b.c"):
        (tmp_path / name).write_text("int f(void) { return 7; }")
        assert "ret i32 7" in compiled(frontend, tmp_path, name)


def test_a_fragment_gets_its_prelude(frontend):
    data, attempt = frontend.compile_fragment(
        'void main() { int n; cin >> n; if (n > MAX) printf("%d", n); }'
    )
    assert b"define" in data
    assert attempt.repairs == ("void main", "undefined constant")
    assert attempt.added == ("#define MAX 1000",)


def test_a_fragment_that_is_only_c_becomes_c(frontend):
    _, attempt = frontend.compile_fragment("main(argc) { int new = argc; return new; }")
    assert (attempt.language, attempt.std) == ("c", "gnu89")


def test_the_first_attempts_error_is_reported_for_a_hopeless_fragment(toolchain, limits, tmp_path):
    frontend = Frontend(toolchain, limits, tmp_path, std="gnu89")
    with pytest.raises(LoweringError, match=r"program\.c:2:\d+: error"):
        frontend.compile_fragment("int x;\nint f( { }")


@pytest.mark.slow
def test_the_precompiled_header_does_not_change_the_ir(frontend, tmp_path):
    body = "int main() { std::vector<int> v(3); std::cout << v.size(); }"
    include = "#include <bits/stdc++.h>\n"
    (tmp_path / "a.cpp").write_text(include + body)
    # A declaration before the include rules the precompiled header out.
    (tmp_path / "b.cpp").write_text("int unused();\n" + include + body)
    first, second = (compiled(frontend, tmp_path, name) for name in ("a.cpp", "b.cpp"))
    assert re.sub(r"a\.cpp", "b.cpp", first) == second


def test_messages_do_not_say_where_the_compiler_is(frontend, tmp_path):
    code = "#include <vector>\nstd::vector<void> v; int f() { return v.size(); }\n"
    (tmp_path / "a.cpp").write_text(code)
    unit = file_unit(tmp_path / "a.cpp", tmp_path, "p")
    tries = (lambda: frontend.compile_file(unit)), (lambda: frontend.compile_fragment(code))
    for compile_it in tries:
        with pytest.raises(LoweringError, match=r"^<compiler>/.*vector\.h:\d+:\d+: error: "):
            compile_it()


def test_messages_do_not_say_where_the_build_is(frontend, tmp_path):
    for name in ("root", "build"):
        (tmp_path / name).mkdir()
    (tmp_path / "build/made.c").write_text("int f(")
    root, build = tmp_path / "root", tmp_path / "build"
    unit = Unit("p", "build/made.c", "c", root, build / "made.c", build=build, whole_root=True)
    with pytest.raises(LoweringError, match=r"^build/made\.c:1:7: error: "):
        frontend.compile_file(unit)


BRANCHES = b"""#include "n.h"
#line 100 "made.y"
#if FROM_HEADER && __x86_64__
#ifdef FROM_FLAGS
#else
#endif
#elif 1
#else
#endif
/*
#if 1
*/
#if __has_include("n.h") && !defined(NOT) && \\
    __has_include(<stdio.h>)
int f(void) { return 0; }
#endif
"""


def test_the_branches_that_the_compiler_takes_are_those_of_its_headers_and_flags(
    frontend, tmp_path
):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/n.h").write_text("#define FROM_HEADER 1\n#if 1\n#pragma oscar\n#endif\n")
    (tmp_path / "sub/a b.c").write_bytes(BRANCHES)
    unit = file_unit(tmp_path / "sub/a b.c", tmp_path, "p")
    for place in (unit, replace(unit, whole_root=True)):
        assert frontend.branches_of_file(place) == {0, 2, 5}
        assert frontend.branches_of_file(replace(place, flags=("-DFROM_FLAGS",))) == {0, 1, 5}
    assert (tmp_path / "sub/a b.c").read_bytes() == BRANCHES


def test_where_the_branches_cannot_be_found_out_all_are_taken(frontend, tmp_path):
    (tmp_path / "a.c").write_text("#if A\n#else\n#endif\n#error no")
    assert frontend.branches_of_file(file_unit(tmp_path / "a.c", tmp_path, "p")) == {0, 1}


def test_the_branches_of_a_fragment_are_told_as_it_was_compiled(frontend):
    code = "#ifdef __cplusplus\nvoid main() { cout << MAX; }\n#else\nint f( {\n#endif\n"
    _, attempt = frontend.compile_fragment(code)
    assert attempt.repairs
    assert frontend.branches_of_fragment(attempt) == {0}
