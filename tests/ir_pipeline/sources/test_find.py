import gzip
import io
import json
import os
import tarfile
from contextlib import suppress

import pytest

from ir_pipeline import read_functions
from ir_pipeline.sources import packed
from ir_pipeline.sources.find import find_units
from static_analysis import OscarError

TREE = {
    "b.c": "int b;",
    "a/x.cpp": "int x;",
    "a/x.h": "#define X",
    "include/y.h": "",
    "z.ll": "",
    "README": "no code",
    ".git/hidden.c": "int hidden;",
}


@pytest.fixture
def tree(tmp_path):
    for name, text in TREE.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "tree"


@pytest.fixture
def scratch(tmp_path):
    return tmp_path / "scratch"


def names(units):
    return [(unit.project, unit.name, unit.language) for unit in units]


def archive_of(path, members):
    with tarfile.open(path, "w:" + path.suffix[1:]) as tar:
        for name, text in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text.encode()))
    return path


def refused(source, scratch, match):
    with pytest.raises(OscarError, match=match) as caught:
        find_units([source], scratch)
    assert "\n" not in str(caught.value)


def test_a_folder_is_read_in_order_of_names(tree, scratch):
    units = find_units([tree], scratch)
    assert names(units) == [
        ("tree", "b.c", "c"),
        ("tree", "z.ll", "llvm-ir"),
        ("tree", "a/x.cpp", "c++"),
    ]
    assert units[2].includes == (".", "include", "a")


@pytest.mark.parametrize("suffix", ["gz", "bz2", "xz"])
def test_a_tarball_is_the_folder_it_holds(tree, tmp_path, scratch, suffix):
    members = {f"tree-1.0/{name}": text for name, text in TREE.items()}
    units = find_units([archive_of(tmp_path / f"tree-1.0.tar.{suffix}", members)], scratch)
    assert [unit.name for unit in units] == [unit.name for unit in find_units([tree], scratch)]
    assert {unit.project for unit in units} == {"tree-1.0"}


@pytest.mark.parametrize("name", ["../evil.c", "/evil.c", "a/../../evil.c"])
def test_a_tarball_that_leaves_its_folder_is_refused(tmp_path, scratch, name):
    archive = archive_of(tmp_path / "t.tar.gz", {"good.c": "", name: "int evil;"})
    if name.startswith("/"):
        find_units([archive], scratch)  # the leading slash is dropped, as tar does
    else:
        refused(archive, scratch, "unsafe member")
    assert not (tmp_path / "evil.c").exists()


def test_a_collection_gives_labelled_fragments(tmp_path, scratch):
    records = [
        {"code": "int a;", "label": "3", "file": "3/1.cpp"},
        {"code": "int b;", "label": 4},
        {"code": "int c;", "file": "3/1.cpp"},
    ]
    file = tmp_path / "programs.jsonl.gz"
    with gzip.open(file, "wt") as lines:
        lines.write("\n\n".join(map(json.dumps, records)))
    units = find_units([file], scratch)
    assert [unit.name for unit in units] == ["3/1.cpp", "programs.jsonl.gz:3", "3/1.cpp (2)"]
    assert [unit.label for unit in units] == ["3", "4", None]
    assert units[1].content() == b"int b;"


def test_same_names_in_two_sources_stay_apart(tree, scratch):
    units = find_units([tree, tree / "b.c", tree], scratch)
    assert len({(unit.project, unit.name) for unit in units}) == len(units)


def test_folders_of_the_same_name_stay_apart(tmp_path, scratch):
    for place in ("d1/src", "d2/src", "d3/src-1"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "a.c").write_text("int f(void) { return 1; }")
    found = find_units([tmp_path / d for d in ("d1/src", "d2/src", "d3/src-1")], scratch)
    assert names(found) == [("src", "a.c", "c"), ("src-1", "a.c", "c"), ("src-1-2", "a.c", "c")]


def test_suffixes_in_capitals_mean_the_same(tmp_path, scratch):
    with gzip.open(tmp_path / "POJ.JSONL.GZ", "wt") as lines:
        lines.write('{"code": "int a;"}\n')
    assert names(find_units([tmp_path / "POJ.JSONL.GZ"], scratch)) == [
        ("POJ", "POJ.JSONL.GZ:1", "fragment")
    ]
    archive_of(tmp_path / "t.tar.gz", {"a.c": "int a;"}).rename(tmp_path / "T.TAR.GZ")
    assert names(find_units([tmp_path / "T.TAR.GZ"], scratch)) == [("T", "a.c", "c")]


def test_a_project_name_that_is_not_utf8_is_spelt_out(tmp_path, scratch):
    folder = os.fsencode(tmp_path) + b"/caf\xe9"
    os.mkdir(folder)
    (tmp_path / os.fsdecode(b"caf\xe9") / "a.c").touch()
    [unit] = find_units([tmp_path / os.fsdecode(b"caf\xe9")], scratch)
    assert unit.project == "caf\\udce9"


@pytest.mark.parametrize("kind", ["jsonl.gz", "tar.gz", "tar.xz"])
def test_damage_anywhere_in_a_packed_file_is_one_clear_line(tmp_path, kind):
    path = tmp_path / f"p.{kind}"
    text = "".join(json.dumps({"code": f"int a{i * i};"}) + "\n" for i in range(200))
    if kind == "jsonl.gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        archive_of(path, {"a.c": text})
    whole = path.read_bytes()
    for i in range(12, len(whole), len(whole) // 40):
        path.write_bytes(whole[:i] + bytes([whole[i] ^ 255]) + whole[i + 1 :])
        with suppress(OscarError):
            find_units([path], tmp_path / f"scratch-{i}")


def test_unusable_sources_get_one_clear_line(tmp_path, scratch):
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "bad.jsonl").write_text('{"text": 1}\n{"code": null}\nint a;\n')
    (tmp_path / "torn.tar.gz").write_bytes(b"\x1f\x8b torn")
    (tmp_path / "torn.jsonl.gz").write_bytes(gzip.compress(b'{"code": "' + bytes(9999))[:40])
    (tmp_path / "none.jsonl").write_text("\n")
    os.mkfifo(tmp_path / "pipe.c")
    refused(tmp_path / "missing", scratch, "no such file or folder")
    refused(tmp_path / "empty", scratch, "nothing to lower")
    refused(tmp_path / "none.jsonl", scratch, "nothing to lower")
    refused(tmp_path / "notes.txt", scratch, "not a C, C")
    refused(
        tmp_path / "bad.jsonl", scratch, r"no line has a program; the first: bad\.jsonl:1: not a"
    )
    refused(tmp_path / "torn.tar.gz", scratch, "cannot be unpacked")
    refused(tmp_path / "torn.jsonl.gz", scratch, "cannot be read")
    refused(tmp_path / "pipe.c", scratch, "neither a regular file")
    with pytest.raises(OscarError, match="no source given"):
        find_units([], scratch)


def test_a_byte_order_mark_is_no_part_of_the_first_record(tmp_path, scratch):
    text = b'\xef\xbb\xbf{"code": "int a;"}\n{"code": "int b;"}\n'
    (tmp_path / "bom.jsonl").write_bytes(text)
    assert [unit.code for unit in find_units([tmp_path / "bom.jsonl"], scratch)] == [
        "int a;",
        "int b;",
    ]


def test_a_line_without_text_costs_one_row_that_says_which(tmp_path):
    no_text = ['{"code": null, "file": "1.c"}', '{"code": ["int f;"]}']
    no_code = ['{"nocode": 1}', "[]", "7", '"code"', "null", "int f;", '{"code": "int', "[" * 9999]
    lines = [*no_text, *no_code, '{"code": "int f() { return 1; }"}']
    (tmp_path / "p.jsonl").write_text("\n".join(lines))
    *failures, row = read_functions([tmp_path / "p.jsonl"], workers=1)
    assert {(failure.stage, failure.reason) for failure in failures} == {("read", "not text")}
    assert [failure.unit for failure in failures] == [
        "1.c",
        *(f"p.jsonl:{n}" for n in range(2, 11)),
    ]
    assert [failure.message for failure in failures] == [
        *(f"p.jsonl:{n}: its 'code' is no text" for n in (1, 2)),
        *(f"p.jsonl:{n}: not a JSON object with a 'code' field" for n in range(3, 11)),
    ]
    assert row.function == "_Z1fv"


@pytest.mark.parametrize("name", ["b.tar.gz", "b.tar.bz2", "b.jsonl.gz", "line.jsonl"])
def test_what_unpacks_without_end_is_refused(tmp_path, scratch, monkeypatch, name):
    monkeypatch.setattr(packed, "_ANY_RATIO", 2**20)
    monkeypatch.setattr(packed, "_MOST_LINE", 2**22)
    text = " " * 2**23
    if ".tar" in name:
        archive_of(tmp_path / name, {"a.c": text})
    elif name.endswith(".gz"):
        (tmp_path / name).write_bytes(gzip.compress((" " * 99 + "\n").encode() * 2**17))
    else:
        (tmp_path / name).write_text(text)
    refused(tmp_path / name, scratch, "unpacks to more than|a line of more than")
    assert sum(path.stat().st_size for path in tmp_path.rglob("*.c")) == 0


def test_names_with_line_ends_are_spelt_out(tmp_path, scratch):
    (tmp_path / "a\nb").mkdir()
    (tmp_path / "a\nb" / "c\td.c").touch()
    assert names(find_units([tmp_path / "a\nb"], scratch)) == [("a\\nb", "c\\td.c", "c")]
