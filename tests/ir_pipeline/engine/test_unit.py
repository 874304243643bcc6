from dataclasses import replace

import pytest

from ir_pipeline.engine.unit import process_unit
from ir_pipeline.errors import Failure, LoweringError
from ir_pipeline.sources.find import find_units
from ir_pipeline.views.view_maker import ViewMaker
from ir_pipeline.views.view_names import CORPUS_VIEWS

METHODS = """
// SPDX-License-Identifier: MIT
#include <utility>
struct Pair {
    int a, b;
    // Sums up.
    int sum() const { return a + b; }
};
int use(Pair p, Pair q) { std::swap(p, q); return p.sum(); }
"""


@pytest.fixture
def process(settings, tmp_path):
    def run(name, text, **changes):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        (unit,) = find_units([path], tmp_path)
        return process_unit(unit, replace(settings, **changes))

    return run


def test_rows_are_aligned_and_grouped(process, loops_file):
    result = process("loops.c", loops_file.read_text(), views=CORPUS_VIEWS)
    assert [row.function for row in result.rows if row.view == "O0"] == ["twice", "power", "digits"]
    assert len({(row.group, row.view) for row in result.rows}) == len(result.rows)
    assert len({row.group for row in result.rows}) == 3
    for row in result.rows:
        columns = (row.instructions, row.tokens, row.environment, row.own_positions)
        lengths = {len(column) for column in (*columns, row.true_positions, row.false_positions)}
        assert lengths == {row.n_instructions}


def test_identical_views_are_dropped_and_counted(process, loops_file):
    result = process("loops.c", loops_file.read_text(), views=CORPUS_VIEWS)
    assert len({(row.group, row.hash) for row in result.rows}) == len(result.rows)
    assert result.dropped["identical view"] > 0
    assert set(result.dropped) <= {"identical view", "near-identical view"}
    # Every function of this unit survives in every view, or is inlined nowhere.
    assert len(result.rows) + result.dropped.total() == 3 * len(CORPUS_VIEWS)


def test_random_views_follow_the_content_not_the_name(process, loops_file):
    views = ("random-0", "random-1", "random-2")
    text = loops_file.read_text()
    first, again = (process(name, text, views=views).rows for name in ("a.c", "b.c"))
    assert [row.hash for row in first] == [row.hash for row in again]
    other = process("a.c", text, views=views, seed=1).rows
    assert [row.hash for row in first] != [row.hash for row in other]


def test_the_units_own_methods_are_kept_and_the_librarys_are_not(process):
    result = process("pair.cpp", METHODS)
    assert [row.function for row in result.rows] == ["_Z3use4PairS_", "_ZNK4Pair3sumEv"]
    assert result.dropped["library function"] > 0
    method = result.rows[1]
    assert method.doc == "// Sums up."
    assert method.source == "int sum() const { return a + b; }"
    assert {row.license for row in result.rows} == {"MIT"}


def test_functions_of_headers_are_kept_when_asked_for(process):
    own = process("pair.cpp", METHODS)
    everything = process("pair.cpp", METHODS, library=True)
    kept = {row.function for row in everything.rows}
    assert {row.function for row in own.rows} < kept
    assert len(kept) == len(own.rows) + own.dropped["library function"]
    assert "library function" not in everything.dropped


def test_the_text_of_a_function_is_that_of_the_branch_that_was_compiled(process, tmp_path):
    (tmp_path / "config.h").write_text("#define WIDE 1\n")
    head = "int f(int x) {\n    while (x) {\n"
    split = "#if WIDE\n        if (x > 2) {\n#else\n        if (x) {\n#endif\n"
    code = f'#include "config.h"\n{head}{split}            x--;\n'
    code += "        }\n    }\n    return x;\n}\n#if WIDE\n// Wide.\nlong g(void) { return 1; }\n"
    code += "#else\n// Narrow.\nshort g(void) { return 2; }\n#endif\n"
    f, g = process("a.c", code).rows
    assert f.source.startswith(head + split)
    assert (g.source, g.doc) == ("long g(void) { return 1; }", "// Wide.")


@pytest.mark.parametrize("kind", ["ll", "bc"])
def test_shared_functions_of_other_tools_ir_are_kept_when_asked_for(process, kind):
    from ir_pipeline.lowering.llvm import parse

    linkages = ("", "internal", "linkonce", "linkonce_odr", "available_externally", "weak_odr")
    used = "".join(f"  %v{i} = call i32 @f{i}(i32 %x)\n" for i in range(len(linkages)))
    text = "".join(
        f"define {linkage} i32 @f{i}(i32 %x) {{\n  %y = add i32 %x, {i}\n  ret i32 %y\n}}\n"
        for i, linkage in enumerate(linkages)
    )
    text += f"define i32 @all(i32 %x) {{\n{used}  ret i32 %v0\n}}\n"
    data = text.encode() if kind == "ll" else parse(text.encode()).as_bitcode()
    own, everything = (process(f"a.{kind}", data, library=library) for library in (False, True))
    assert [row.function for row in own.rows] == ["f0", "f1", "f5", "all"]
    assert own.dropped == {"library function": 3}
    assert [row.function for row in everything.rows] == [*(f"f{i}" for i in range(6)), "all"]
    assert everything.dropped == {}


def test_a_view_that_fails_costs_that_view_only(process, loops_file, monkeypatch):
    make = ViewMaker.make

    def fail(maker, name):
        if name in ("O1", "O2"):
            raise LoweringError("broken", stage="view", reason="view not made")
        return make(maker, name) if name != "O3" else "no IR"

    monkeypatch.setattr(ViewMaker, "make", fail)
    result = process("loops.c", loops_file.read_text(), views=("O0", "O1", "O2", "O3"))
    assert [(row.function, row.view) for row in result.rows] == [
        ("twice", "O0"), ("power", "O0"), ("digits", "O0"),
    ]  # fmt: skip
    assert result.dropped == {
        "view failed: view not made": 2 * 3,
        "view failed: IR not understood": 3,
    }
    failure = process("loops.c", loops_file.read_text(), views=("O1", "O3"))
    assert (failure.stage, failure.reason, failure.message) == ("view", "view not made", "broken")


def test_a_name_that_is_not_utf8_or_no_name_costs_nothing(process):
    body = "(i32 %x) {\n  %y = mul i32 %x, 2\n  ret i32 %y\n}\n"
    text = f'define i32 @0{body}define i32 @"a\\FFb"{body}'
    result = process("a.ll", text, views=CORPUS_VIEWS)
    assert {row.function for row in result.rows} == {"0", r"a\xffb"}
    assert len(result.rows) + result.dropped.total() == 2 * len(CORPUS_VIEWS)


def test_bitcode_gives_the_rows_of_its_text(process, loops_ir):
    from ir_pipeline.lowering.llvm import parse

    views = ("O0", "O2", "random-0")
    text = process("loops.ll", loops_ir, views=views).rows
    bitcode = process("loops.bc", parse(loops_ir.encode()).as_bitcode(), views=views).rows
    same = {"unit": "", "group": ""}
    assert [replace(row, **same) for row in text] == [replace(row, **same) for row in bitcode]
    assert {row.language for row in text} == {"llvm-ir"}


@pytest.mark.parametrize(
    ("name", "text", "stage", "reason"),
    [
        ("bad.c", "int f( {", "compile", "compile error"),
        ("binary.c", bytes(range(256)), "read", "not text"),
        ("self.c", '#include "self.c"', "compile", "compile error"),
        ("words.ll", "no IR", "parse", "invalid IR"),
        ("torn.ll", "define void @f() {\n  ret", "parse", "invalid IR"),
        ("torn.bc", b"BC\xc0\xde torn", "parse", "invalid IR"),
    ],
)
def test_a_bad_unit_costs_one_row(process, name, text, stage, reason):
    failure = process(name, text)
    assert isinstance(failure, Failure)
    assert (failure.unit, failure.stage, failure.reason) == (name, stage, reason)
    assert "\n" not in failure.message


def test_a_unit_that_vanished_costs_one_row(process, settings, tmp_path):
    (tmp_path / "a.ll").write_text("")
    (unit,) = find_units([tmp_path / "a.ll"], tmp_path)
    unit.path.unlink()
    assert process_unit(unit, settings).reason == "cannot be read"


def test_nothing_is_left_in_scratch(process, settings, loops_file):
    process("a.c", loops_file.read_text())
    process("b.c", "int f( {")
    assert {path.name for path in settings.scratch.iterdir()} == {"a.c", "b.c"}
