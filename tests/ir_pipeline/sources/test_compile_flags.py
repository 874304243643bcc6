import shlex
from pathlib import Path

import pytest

from ir_pipeline.sources.compile_flags import read_command


@pytest.fixture
def root(tmp_path):
    for name in ("include", "src", "build"):
        (tmp_path / name).mkdir()
    return tmp_path


def flags(root, line, folder="build"):
    return read_command(shlex.split(line), root / folder, [root]).flags


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("-I../include -I ../src -isystem../src", "-I ./include -I ./src -isystem ./src"),
        ("-iquote ../src -idirafter ../src", "-iquote ./src -idirafter ./src"),
        ("-DX -D Y=2 -UZ", "-DX -DY=2 -UZ"),
        ("-include ../src/a.h -imacros ../src/b.h", "-include ./src/a.h -imacros ./src/b.h"),
        ("-std=gnu11 -funsigned-char -fno-exceptions -mavx2 -mno-sse4.2",
         "-std=gnu11 -funsigned-char -fno-exceptions -mavx2 -mno-sse4.2"),
        ("-DPIC -fPIC -O3 -g -Wall -Werror -march=native -c -o x.o", ""),
        ("-I/usr/include/glib-2.0", "-I /usr/include/glib-2.0"),
    ],
)  # fmt: skip
def test_what_says_how_to_read_the_source_is_kept(root, line, kept):
    assert flags(root, line) == tuple(kept.split())


@pytest.mark.parametrize(
    "line",
    [
        "-fplugin=evil.so -Xclang -load -Xclang evil.so -fpass-plugin=x.so",
        "@flags.txt --config evil.cfg --config=evil.cfg",
        "-B /tmp/evil -specs=evil.specs -wrapper sh,-c -fuse-ld=/tmp/evil",
        "-o /etc/passwd -MF /etc/cron -MD -save-temps -ftime-trace=/x -dumpdir /x",
        "-fprofile-use=/x -fmodules-cache-path=/x -ivfsoverlay /x --sysroot=/x -isysroot /x",
        "-I/etc -I../../.. -isystem /home -include /etc/passwd",
        "-Wl,-rpath,/x -Wp,-MD,/etc/x -Wa,--x -Xpreprocessor -I/etc -mllvm -x",
    ],
)
def test_what_runs_writes_or_reads_elsewhere_is_dropped(root, line):
    assert flags(root, line) == ()


def test_sources_are_told_from_what_belongs_to_an_option(root):
    words = "-c a.c ../src/b.cpp -o out.c -MF deps.c -include ../src/pre.c x.o -x c++ lib.a"
    run = read_command(words.split(), root / "build", [root])
    assert run.sources == ("a.c", "../src/b.cpp")
    assert run.language == "c++"
    assert run.compiles


@pytest.mark.parametrize("words", ["-E a.c", "-M a.c", "--version", "-fsyntax-only a.c"])
def test_a_command_that_only_prints_compiles_nothing(root, words):
    assert not read_command(words.split(), root, [root]).compiles


def test_an_option_without_its_value_is_survived(root):
    for option in ("-I", "-D", "-o", "-include", "-x"):
        assert isinstance(flags(root, option), tuple)


def test_a_link_out_of_the_project_is_no_way_around_it(root):
    (root / "out").symlink_to("/etc")
    assert flags(root, "-I../out") == ()
    assert read_command(["-Ix"], Path("/"), [root]).flags == ()
