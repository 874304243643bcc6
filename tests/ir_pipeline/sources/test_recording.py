import subprocess
import sys
from pathlib import Path

import pytest

from ir_pipeline import open_corpus
from ir_pipeline.preprocess import preprocess
from ir_pipeline.sources.find import find_units
from ir_pipeline.sources.recording import record
from static_analysis import OscarError


@pytest.fixture
def project(tmp_path, fake_program, monkeypatch):
    """A project, and a compiler on the PATH that makes empty objects."""
    folder = tmp_path / "project"
    (folder / "sub dir").mkdir(parents=True)
    for name in ("a.c", "b.c", "sub dir/c.cpp"):
        (folder / name).write_text("int f(void) { return N; }")
    fake_program('for word; do last="$word"; done; touch "$last"', "cc")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.chdir(folder)
    return folder


def flags(database, tmp_path):
    # The last ones are the system's folders.
    return {unit.name: unit.flags[:-6] for unit in find_units([database], tmp_path / "scratch")}


def test_a_build_runs_and_its_commands_are_noted(project, tmp_path):
    build = "cc -c -DN=1 a.c -o a.o; cd 'sub dir'; cc '-DN=\"x  y\"' -I.. -c c.cpp -o ../c.o"
    database = record(["sh", "-c", build], project)
    assert (project / "a.o").exists()
    assert (project / "c.o").exists()
    assert database == project / "compile_commands.json"
    assert flags(project, tmp_path) == {
        "a.c": ("-DN=1",),
        "sub dir/c.cpp": ('-DN="x  y"', "-I", "./."),
    }


def test_builds_of_many_processes_lose_nothing(project, tmp_path):
    for i in range(60):
        (project / f"f{i}.c").touch()
    build = "".join(f"cc -DN={i} -c f{i}.c -o f{i}.o & " for i in range(60)) + "wait"
    assert len(flags(record(["sh", "-c", build], project), tmp_path)) == 60


def test_a_second_build_adds_to_what_the_first_recorded(project, tmp_path):
    record(["sh", "-c", "cc -DN=1 -c a.c -o a.o; cc -DN=1 -c b.c -o b.o"], project)
    database = record(["sh", "-c", "cc -DN=2 -c b.c -o b.o"], project)
    assert flags(database, tmp_path) == {"a.c": ("-DN=1",), "b.c": ("-DN=2",)}
    record(["true"], project)
    assert flags(database, tmp_path) == {"a.c": ("-DN=1",), "b.c": ("-DN=2",)}


def test_what_a_build_deletes_is_named_and_left_out(project, tmp_path, capfd):
    build = "touch conftest.c; cc -DA -c conftest.c -o t.o; cc -DB -c conftest.c -o t.o; "
    build += "rm conftest.c; cc -c a.c -o a.o"
    assert list(flags(record(["sh", "-c", build], project), tmp_path)) == ["a.c"]
    said = "--record: left out, no longer there after the build: conftest.c\n"
    assert capfd.readouterr().err == said
    record(["true"], project)
    assert capfd.readouterr().err == ""
    (project / "a.c").unlink()
    with pytest.raises(OscarError, match="compiled nothing"):
        record(["true"], project)


def test_a_build_that_fails_or_compiles_nothing_is_one_clear_line(project):
    for command, said in [
        (["false"], "false ended with status 1: mend the build first"),
        (["no-such-build"], "no-such-build: No such file"),
        (["true"], "true compiled nothing: clean the build first"),
    ]:
        with pytest.raises(OscarError, match=said):
            record(command, project)
    assert not (project / "compile_commands.json").exists()


def test_the_verb_records_the_current_folder(project, tmp_path):
    preprocess(["cc", "-DN=5", "-c", "a.c", "-o", "a.o"], out=tmp_path / "out", views=["1"],
               record=True, workers=1)  # fmt: skip
    [row] = open_corpus(tmp_path / "out").rows("O0")
    assert (row.project, row.unit, row.instructions) == ("project", "a.c", ["ret i32 5"])


@pytest.mark.slow
def test_make_is_recorded_from_the_command_line(project, tmp_path):
    (project / "Makefile").write_text("all: a.o b.o\n.c.o:\n\t$(CC) -DN=9 -c $< -o $@\n")
    oscar = Path(sys.executable).with_name("oscar")
    words = [oscar, "preprocess", "--record", "--out", tmp_path / "out", "--views", "1"]
    subprocess.run([*words, "--", "make", "-j2"], check=True, timeout=120)
    assert {row.unit for row in open_corpus(tmp_path / "out").rows("O0")} == {"a.c", "b.c"}
