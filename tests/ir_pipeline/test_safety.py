"""Hostile sources and full disks, with the real compiler: each costs a row or one clear line."""

import io
import os
import shutil
import subprocess
import sys
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from ir_pipeline import Failure, build_corpus, read_functions
from ir_pipeline.limits import Limits
from ir_pipeline.sources.find import find_units
from static_analysis import OscarError

GOOD = "int f(int x) { return x + 1; }\n"
LIMITS = Limits(unit_seconds=20, compile_seconds=1.5, memory_gb=2)


@pytest.fixture
def outcome(tmp_path):
    """Writes a project; gives, by unit, the failure or the functions."""

    def run(files, **options):
        root = tmp_path / "project"
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        found = {}
        for item in read_functions([root], workers=1, limits=LIMITS, **options):
            if isinstance(item, Failure):
                assert "\n" not in item.message
                found[item.unit] = item
            else:
                found.setdefault(item.unit, []).append(item.function)
        return found

    return run


OUTSIDE = {
    "a.c": '#include "/etc/passwd"',
    "b.c": '#include "/dev/zero"',
    "c.c": "#include </etc/passwd>",
    "d.c": '#define FILE_NAME "/etc/passwd"\n#include FILE_NAME',
    "e.c": '#include "../../../../../../../../etc/passwd"',
    "f.c": '#include "../secret.h"',
    "g.c": '#if __has_include("/etc/passwd")\n#error there\n#else\n#include "nothing.h"\n#endif',
}


def test_files_outside_of_the_project_do_not_exist(outcome, tmp_path):
    (tmp_path / "secret.h").write_text("int secret;")
    found = outcome({name: f"{line}\n{GOOD}" for name, line in OUTSIDE.items()})
    assert {name: failure.reason for name, failure in found.items()} == dict.fromkeys(
        OUTSIDE, "missing header"
    )
    said = " ".join(failure.message for failure in found.values())
    assert "root" not in said


def test_a_file_outside_cannot_be_embedded(outcome, tmp_path):
    code = 'const char a[] = {\n#embed "/etc/passwd"\n};\nint f(void) { return a[0]; }'
    assert outcome({"a.c": code}, std="c23")["a.c"].reason == "missing header"


def test_links_out_of_the_project_are_not_followed(outcome, tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/s.h").write_text("int secret;")
    (root / "file.h").symlink_to(tmp_path / "secret/s.h")
    (root / "folder").symlink_to(tmp_path / "secret")
    (root / "zero.h").symlink_to("/dev/zero")
    (root / "inside.h").symlink_to("real.h")
    found = outcome(
        {
            "real.h": "#define N 1",
            "a.c": '#include "file.h"',
            "b.c": '#include "folder/s.h"',
            "c.c": '#include "zero.h"',
            "d.c": '#include "inside.h"\nint g(void) { return N; }',
        }
    )
    assert [found[name].reason for name in ("a.c", "b.c", "c.c")] == ["missing header"] * 3
    assert found["d.c"] == ["g"]


def test_a_build_cannot_open_other_folders(outcome):
    command = (
        '[{"directory": ".", "file": "a.c", "arguments": ["cc", "-I/etc", "-include", '
        '"/etc/passwd", "-Xclang", "-load", "-Xclang", "x.so", "-c", "a.c"]}]'
    )
    files = {"compile_commands.json": command, "a.c": '#include "passwd"'}
    assert outcome(files)["a.c"].reason == "missing header"


def test_the_environment_cannot_open_other_folders(outcome, tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/x.h").write_text("#define N 1")
    for name in ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"):
        monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    assert outcome({"a.c": '#include "x.h"'})["a.c"].reason == "missing header"


def test_a_macro_bomb_costs_one_row(outcome):
    endless = "".join(f"#define A{i + 1} A{i} A{i}\n" for i in range(40))
    growing = "".join(f"#define A{i + 1} A{i}+A{i}\n" for i in range(40))
    found = outcome(
        {
            "a.c": f"#define A0\n{endless}A40",
            "b.c": f"#define A0 1+1\n{growing}int x = A40;",
            "c.c": GOOD,
        }
    )
    assert found["a.c"].reason == "time limit"
    assert found["b.c"].reason in ("time limit", "memory limit")
    assert found["c.c"] == ["f"]


def test_a_template_bomb_costs_one_row(outcome):
    code = (
        "template <int N> struct Bomb { static const int n = Bomb<N - 1>::n + Bomb<N - 2>::n; };\n"
        "int f() { return Bomb<100000>::n; }"
    )
    assert outcome({"a.cpp": code})["a.cpp"].stage == "compile"


def test_a_header_that_includes_itself_costs_one_row(outcome):
    found = outcome({"a.c": '#include "a.h"', "a.h": '#include "a.h"'})
    assert found["a.c"].reason == "compile error"


def test_circles_of_links_end(outcome, tmp_path):
    root = tmp_path / "project"
    (root / "sub").mkdir(parents=True)
    (root / "sub/up").symlink_to("..")
    (root / "x.c").symlink_to("x.c")
    (root / "y.h").symlink_to("z.h")
    (root / "z.h").symlink_to("y.h")
    found = outcome({"sub/a.c": GOOD, "b.c": '#include "y.h"'})
    assert found["sub/a.c"] == ["f"]
    assert found["b.c"].reason == "missing header"
    assert set(found) == {"sub/a.c", "b.c"}


@pytest.mark.parametrize("project", [b"plain", b"caf\xe9 two\nlines quo\"te'\\"])
def test_names_of_any_bytes_are_taken(tmp_path, project):
    root = os.path.join(os.fsencode(tmp_path), project)
    os.mkdir(root)
    for name in (b"new\nline.c", b"caf\xe9.c", b"-rf.c", b"$(touch x).c", b'"; a.c'):
        with open(os.path.join(root, name), "w") as file:
            file.write('#include "n.h"\nint f(void) { return N; }')
    with open(os.path.join(root, b"n.h"), "w") as file:
        file.write("#define N 1")
    found = list(read_functions([tmp_path / os.fsdecode(project)], workers=1))
    assert not [item for item in found if isinstance(item, Failure)]
    assert {row.unit for row in found} == {
        *("new\\nline.c", "caf\\udce9.c", "-rf.c", "$(touch x).c", '"; a.c'),
    }
    assert all(row.project.isprintable() for row in found)


def archive(path, *members):
    with tarfile.open(path, "w:gz") as tar:
        for info, text in members:
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text))
    return path


def link(name, target, kind=tarfile.SYMTYPE):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info, b""


@pytest.mark.parametrize(
    "members",
    [
        [link("out", "/etc"), (tarfile.TarInfo("out/evil.c"), b"int x;")],
        [link("out", ".."), (tarfile.TarInfo("out/evil.c"), b"int x;")],
        [link("passwd.c", "/etc/passwd", tarfile.LNKTYPE)],
        [link("zero.c", "", tarfile.CHRTYPE)],
        [link("pipe.c", "", tarfile.FIFOTYPE)],
        [(tarfile.TarInfo("../evil.c"), b"int x;")],
    ],
    ids=["link to a folder", "link upwards", "hard link", "device", "pipe", "upwards"],
)
def test_a_tarball_writes_and_reads_nothing_outside(tmp_path, members):
    file = archive(tmp_path / "t.tar.gz", *members)
    with pytest.raises(OscarError, match=r"unsafe member|cannot be unpacked"):
        find_units([file], tmp_path / "scratch")
    assert not list(tmp_path.rglob("evil.c"))


# A disk of its own, in a name space of its own: too small at first, then large enough.
SMALL_DISK = """
mount -t tmpfs -o size=$1 none "$2" || exit 77
$3 -c "$4" 2> "$5"; first=$?
test -e "$2/$7/manifest.json" && exit 78
mount -o remount,size=100m "$2" && $3 -c "$4" && cp -r "$2/$7" "$6" && exit $((first == 0))
"""


@pytest.mark.parametrize(
    "size",
    [
        pytest.param("8k", id="chunk", marks=pytest.mark.slow),
        pytest.param("24k", id="shard"),
        pytest.param("36k", id="manifest", marks=pytest.mark.slow),
    ],
)
def test_a_disk_without_space_ends_the_run_and_with_space_continues_it(tmp_path, size):
    _run_on_small_disk(tmp_path, size, "out", os.environ)


@pytest.mark.slow
def test_a_temporary_folder_without_space_costs_no_unit(tmp_path):
    environment = {**os.environ, "TMPDIR": str(tmp_path / "disk")}
    _run_on_small_disk(tmp_path, "12k", "../out", environment)


def _run_on_small_disk(tmp_path, size, out, environment):
    for i in range(9):
        (tmp_path / f"{i}.c").write_text(GOOD.replace("f", f"f{i}"))
    disk, said, got = tmp_path / "disk", tmp_path / "said", tmp_path / "got"
    disk.mkdir()
    files = [str(tmp_path / f"{i}.c") for i in range(9)]
    code = (
        "import sys; from oscar.cli import run; "
        f"sys.exit(run(['preprocess', *{files}, '--views', '2', '--out', '{disk}/{out}']))"
    )
    words = [size, str(disk), sys.executable, code, str(said), str(got), out]
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", SMALL_DISK, "sh"]
    done = subprocess.run([*command, *words], capture_output=True, check=False, env=environment)
    status = done.returncode
    if status == 77 or shutil.which("unshare") is None:
        pytest.skip("no name space of one's own to be had")
    assert status == 0
    [line] = said.read_text().splitlines()
    assert "No space left on device" in line
    build_corpus([Path(file) for file in files], tmp_path / "expected", views=2)
    for path in sorted((tmp_path / "expected").rglob("*.*")):
        assert (got / path.relative_to(tmp_path / "expected")).read_bytes() == path.read_bytes()


def test_a_full_disk_is_survived_and_the_run_continued(tmp_path, run_python):
    for i in range(9):
        (tmp_path / f"{i}.c").write_text(GOOD.replace("f", f"f{i}"))
    code = f"""
import resource
from pathlib import Path
from ir_pipeline import build_corpus

def progress(counts, total):
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))

sources, out = [Path({str(tmp_path)!r})], Path({str(tmp_path / "out")!r})
build_corpus(sources, out, views=1, workers=1, progress=progress)
"""
    assert "File too large" in run_python(code).stderr
    assert not (tmp_path / "out/manifest.json").exists()
    assert build_corpus([tmp_path], tmp_path / "out", views=1, workers=1).counts.rows == 9


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("sleep 60", "time limit"),
        ("exec yes error: no", "output limit"),
        ('while [ "$1" != -o ]; do shift; done; exec cat /dev/zero > "$2"', "output limit"),
    ],
    ids=["hangs", "talks for ever", "writes for ever"],
)
def test_a_compiler_gone_wild_costs_one_row(fake_program, tmp_path, script, reason):
    clang = fake_program(f'case "$*" in *-S*) ;; *) echo clang version 22; exit;; esac\n{script}')
    (tmp_path / "a.c").write_text(GOOD)
    limits = replace(LIMITS, output_mb=5)
    [failure] = read_functions([tmp_path / "a.c"], clang=clang, workers=1, limits=limits)
    assert (failure.stage, failure.reason) == ("compile", reason)


@pytest.mark.slow
def test_a_source_of_100_mb_costs_one_row_at_most(outcome):
    found = outcome({"a.c": b"int x;\n" * (100 * 2**20 // 7), "b.c": GOOD})
    assert found["b.c"] == ["f"]
    assert "a.c" not in found or isinstance(found["a.c"], Failure)


def test_a_file_named_singly_brings_what_it_includes_and_nothing_else(tmp_path):
    (tmp_path / "secret.h").write_text("int secret;")
    root = tmp_path / "home"
    (root / "sub/deep").mkdir(parents=True)
    (root / "linked.h").symlink_to(tmp_path / "secret.h")
    (root / "passwords.h").write_text("int password;")
    (root / "sub/deep/b.h").write_text('#include "../c.h"\n')
    (root / "sub/c.h").write_text("#define N 1\n")
    lines = {
        "a.c": '#include "sub/deep/b.h"',
        "b.c": '#include "linked.h"',
        "c.c": '#define FILE_NAME "passwords.h"\n#include FILE_NAME',
        "d.c": '#include "../secret.h"',
        "e.c": '#include "/etc/passwd"',
    }
    for name, line in lines.items():
        (root / name).write_text(f"{line}\nint f(void) {{ return N; }}\n")
    files = [root / name for name in lines]
    good, *failures = read_functions(files, workers=1, limits=LIMITS)
    assert (good.unit, good.function) == ("a.c", "f")
    assert {failure.unit: failure.reason for failure in failures} == dict.fromkeys(
        ["b.c", "c.c", "d.c", "e.c"], "missing header"
    )
