from pathlib import Path

import pytest

from ir_pipeline import lower
from ir_pipeline.lowering.toolchain import check_std, find_toolchain
from static_analysis import OscarError


def test_the_wheels_compiler_is_called_directly(toolchain):
    assert Path(toolchain.c[0]).name == "zig"
    assert toolchain.version.startswith("clang 22")


@pytest.mark.parametrize("text", ["echo gcc 12.2", "exit 1", "sleep 0"])
def test_a_program_that_is_no_clang_is_refused_in_one_line(fake_program, text):
    with pytest.raises(OscarError, match="is not a clang") as caught:
        find_toolchain(fake_program(text))
    assert "\n" not in str(caught.value)


def test_a_missing_program_is_refused(tmp_path):
    with pytest.raises(OscarError, match="no such program"):
        find_toolchain(tmp_path / "clang")


def test_another_clang_is_used_for_both_languages(fake_program, toolchain, tmp_path):
    zig = toolchain.c[0]
    # A clang of its own name: the driver mode says which language's libraries it links.
    other = fake_program(
        f'case "$1" in --driver-mode=g++) shift; exec {zig} c++ -target x86_64-linux-gnu "$@";; '
        f'*) exec {zig} cc -target x86_64-linux-gnu "$@";; esac'
    )
    (tmp_path / "a.cpp").write_text("#include <cstdlib>\nint f(int x) { return std::abs(x); }")
    assert "define" in lower(tmp_path / "a.cpp", clang=other)
    assert find_toolchain(other).version.startswith("clang 22")


def test_only_unoptimised_code_is_kept_optimisable(toolchain):
    assert "-disable-O0-optnone" in toolchain.command("c", "O0")
    assert "-disable-O0-optnone" not in toolchain.command("c++", "O2")


@pytest.mark.parametrize("std", ["c23", "gnu89", "c++98", "gnu++20", None])
def test_standards_are_taken(toolchain, std):
    check_std(toolchain, std)


@pytest.mark.parametrize("std", ["", "c++1", "11", "c99 -fplugin=x", "java", "-x"])
def test_what_is_no_standard_is_refused_at_once(toolchain, std):
    with pytest.raises(OscarError, match="knows no such standard: name one such as c99"):
        check_std(toolchain, std)
