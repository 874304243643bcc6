from dataclasses import replace
from pathlib import Path

import pytest

from ir_pipeline import read_functions
from ir_pipeline.lowering.standards import default_standard, standard_of, usual_name
from ir_pipeline.sources.units import Unit

UNIT = Unit(project="p", name="a.c", language="c", root=Path("."), path=Path("a.c"))


def test_the_compilers_own_standard_holds_where_nobody_names_one(toolchain):
    assert default_standard(toolchain, "c") == "gnu17"
    assert default_standard(toolchain, "c++") == "gnu++17"
    assert standard_of(UNIT, None, toolchain) == "gnu17"


@pytest.mark.parametrize("standard", ["c89", "gnu89", "c99", "gnu11", "c23", "c++98", "gnu++14"])
def test_a_compiler_told_a_standard_has_that_one(toolchain, standard):
    command = (*toolchain.c, f"-std={standard}")
    told = replace(toolchain, c=command, cxx=(*toolchain.cxx, f"-std={standard}"))
    assert default_standard(told, "c++" if "++" in standard else "c") == standard


def test_the_user_comes_before_the_build_and_the_last_flag_of_the_build_wins(toolchain):
    built = replace(UNIT, flags=("-DX", "-std=c99", "-std=gnu9x"))
    assert standard_of(built, None, toolchain) == "gnu99"
    assert standard_of(built, "c11", toolchain) == "c11"
    assert standard_of(replace(UNIT, flags=("-ansi",)), None, toolchain) == "c89"


@pytest.mark.parametrize(
    ("name", "usual"),
    [("c++0x", "c++11"), ("gnu++1z", "gnu++17"), ("gnu9x", "gnu99"), ("iso9899:2011", "c11"),
     ("c++20", "c++20"), ("gnu17", "gnu17")],
)  # fmt: skip
def test_standards_have_one_name(name, usual):
    assert usual_name(name) == usual


def test_rows_say_which_standard_the_program_needed(tmp_path):
    programs = ["int main() { return 0; }", "int main() { auto x = {1, 2}; return x.size(); }"]
    lines = [f'{{"code": "{code}"}}' for code in programs]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    rows = list(read_functions([tmp_path / "a.jsonl"], workers=1))
    assert [(row.language, row.standard) for row in rows] == [("c++", "c++98"), ("c++", "gnu++17")]
