import json

import pytest

from ir_pipeline import Failure, build_corpus, open_corpus, read_functions
from ir_pipeline.sources.compile_commands import find_database, read_database, write_database
from ir_pipeline.sources.find import find_units
from static_analysis import OscarError

SYSTEM = ("-idirafter", "/usr/include/x86_64-linux-gnu")


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    for name, text in {
        "src/a.c": '#include "n.h"\nint f(void) { return N * M; }',
        "src/b.cpp": "int g() { return 1; }",
        "src/unused.c": "not compiled",
        "inc/n.h": "#define N 7",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture
def database(project):
    """Writes the project's database; each command is (file, flags)."""

    def write(*commands, place="compile_commands.json"):
        (project / place).parent.mkdir(exist_ok=True)
        entries = [
            {
                "directory": str(project / "src"),
                "file": file,
                "command": f"gcc {flags} -c {file} -o x.o",
            }
            for file, flags in commands
        ]
        (project / place).write_text(json.dumps(entries))
        return project / place

    return write


def names(units):
    assert all(unit.flags[-2:] == SYSTEM for unit in units)
    return [(unit.project, unit.name, unit.flags[:-6]) for unit in units]


def test_the_build_decides_what_is_a_unit_and_how_it_is_compiled(project, database, tmp_path):
    database(("b.cpp", "-std=c++17"), ("a.c", "-I../inc -DM=2 -O3"))
    assert names(find_units([project], tmp_path)) == [
        ("project", "src/a.c", ("-I", "./inc", "-DM=2")),
        ("project", "src/b.cpp", ("-std=c++17",)),
    ]
    rows = {row.function: row for row in read_functions([project])}
    assert rows["f"].instructions == ["ret i32 14"]


@pytest.mark.parametrize("place", ["build/compile_commands.json", "out-x/compile_commands.json"])
def test_a_database_in_a_build_folder_is_found(project, database, tmp_path, place):
    file = database(("a.c", "-I../inc"), place=place)
    assert find_database(project) == file
    by_folder = find_units([project], tmp_path)
    by_file = find_units([file], tmp_path)
    assert names(by_folder) == names(by_file) == [("project", "src/a.c", ("-I", "./inc"))]


def test_a_file_compiled_in_two_ways_gives_two_units_in_a_stable_order(database, tmp_path):
    ways = [("a.c", "-DM=2"), ("a.c", "-DM=1"), ("a.c", "-DM=1 -DPIC -fPIC")]
    expected = [("project", "src/a.c", ("-DM=1",)), ("project", "src/a.c#2", ("-DM=2",))]
    assert names(find_units([database(*ways)], tmp_path)) == expected
    assert names(find_units([database(*ways[::-1])], tmp_path)) == expected


def test_a_file_that_is_gone_or_elsewhere_costs_one_row(project, database, tmp_path):
    (tmp_path / "other.c").touch()
    (project / "src/dir.c").mkdir()
    files = ("gone.c", "gone.c", "dir.c", "../../other.c", "../inc/n.h", "assembly.S")
    database(("b.cpp", ""), *((file, f"-DN={n}") for n, file in enumerate(files)))
    failures = [item for item in read_functions([project]) if isinstance(item, Failure)]
    assert [failure.unit for failure in failures] == ["src/dir.c", "src/gone.c", "…/other.c"]
    assert {(f.stage, f.reason) for f in failures} == {("read", "cannot be read")}
    for failure, said in zip(failures, ("not there", "not there", "outside"), strict=True):
        assert said in failure.message
        assert str(tmp_path) not in failure.message


def test_rows_and_files_that_are_gone_are_counted_together(project, database, tmp_path):
    for place, files in (("one", ["b.cpp"]), ("two", ["b.cpp", "gone.c"])):
        database(*((file, "") for file in files))
        build_corpus([project], tmp_path / place, views=1)
    one, two = (open_corpus(tmp_path / place) for place in ("one", "two"))
    assert one.shards[0].read_bytes() == two.shards[0].read_bytes()
    assert two.manifest["counts"]["units"] == 2
    assert two.manifest["counts"]["errors"] == {"cannot be read": 1}


def test_the_compiler_decides_about_the_language(project, tmp_path):
    def language(*words):
        entry = {"directory": "src", "file": "a.c", "arguments": [*words, "-c", "a.c"]}
        (project / "compile_commands.json").write_text(json.dumps([entry]))
        return find_units([project], tmp_path)[0].language

    assert language("cc") == "c"
    assert language("/usr/bin/g++-12") == "c++"
    assert language("ccache", "x86_64-linux-gnu-g++") == "c++"
    assert language("g++", "-x", "c") == "c"


def test_a_database_of_another_machine_is_passed_over(project, tmp_path):
    entries = [
        {"directory": folder, "file": "a.c", "command": "cc -c a.c"}
        for folder in ("/elsewhere", str(project))
    ]
    (project / "compile_commands.json").write_text(json.dumps(entries))
    assert [unit.name for unit in find_units([project], tmp_path)] == [
        "src/a.c",
        "src/b.cpp",
        "src/unused.c",
    ]


def test_flags_are_part_of_what_a_corpus_is_made_from(database, tmp_path):
    build_corpus([database(("b.cpp", "-DM=1"))], tmp_path / "out", views=1)
    with pytest.raises(OscarError, match="other sources"):
        build_corpus([database(("b.cpp", "-DM=2"))], tmp_path / "out", views=1)


def test_what_is_written_reads_the_same(database, tmp_path):
    entries = read_database(database(("a.c", "-I../inc"), ("b.cpp", "")))
    write_database(entries, tmp_path / "again.json")
    assert read_database(tmp_path / "again.json") == entries


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "cannot be read"),
        ("{}", "nothing to lower"),
        ("[1]", "not a compilation database"),
        ('[{"file": "a.c"}]', "not a compilation database"),
        ('[{"file": "a.c", "directory": "/", "command": "cc \\""}]', "cannot be read"),
        ('[{"file": "a.c", "directory": ".", "command": "cc a.c"}]', "none of its files is there"),
        ('[{"file": "/a.c", "directory": "/", "command": "cc a.c"}]', "all over the disk"),
    ],
)
def test_a_broken_database_is_one_clear_line(tmp_path, text, said):
    (tmp_path / "compile_commands.json").write_text(text)
    with pytest.raises(OscarError, match=said):
        find_units([tmp_path / "compile_commands.json"], tmp_path / "scratch")
