import shutil

import pytest

from ir_pipeline import build_corpus, open_corpus
from ir_pipeline.sources.find import find_units
from static_analysis import OscarError

LISTS = """
cmake_minimum_required(VERSION 3.13)
project(little C)
configure_file(config.h.in config.h)
add_library(little a.c)
target_include_directories(little PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
target_compile_definitions(little PRIVATE M=3)
"""
needs_cmake = pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is not installed")


@pytest.fixture
def little(tmp_path):
    folder = tmp_path / "little"
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(LISTS)
    (folder / "config.h.in").write_text("#define N 4\n")
    (folder / "a.c").write_text('#include "config.h"\nint f(void) { return N * M; }\n')
    return folder


@needs_cmake
def test_cmake_says_how_a_project_is_compiled(little, tmp_path):
    before = sorted(little.iterdir())
    out = tmp_path / "out"
    for _ in range(2):  # the second run finds the first one's corpus, made in another folder
        counts = build_corpus([little], out, views=1, cmake=True).counts
        assert (counts.units, counts.functions) == (1, 1)
    assert sorted(little.iterdir()) == before
    assert open_corpus(out).manifest["counts"]["errors"] == {}
    [row] = open_corpus(out).rows("O0")
    assert row.instructions == ["ret i32 12"]


@needs_cmake
def test_a_project_that_cannot_be_configured_is_one_clear_line(little, tmp_path):
    (little / "CMakeLists.txt").write_text("message(FATAL_ERROR no)")
    with pytest.raises(OscarError, match="cmake cannot configure it") as caught:
        find_units([little], tmp_path / "scratch", cmake=True)
    assert "\n" not in str(caught.value)


def test_cmake_is_not_run_unasked(little, tmp_path):
    [unit] = find_units([little], tmp_path / "scratch")
    assert unit.flags == ()


def test_a_missing_cmake_is_named(little, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(OscarError, match="needs the program cmake: install it"):
        find_units([little], tmp_path / "scratch", cmake=True)
