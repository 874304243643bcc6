import gzip
import io
import json
import os
import tarfile

import pytest

from ir_pipeline.sources import content_hash, find_units
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


def test_unusable_sources_get_one_clear_line(tmp_path, scratch):
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "bad.jsonl").write_text('{"code": "int a;"}\n{"text": 1}\n')
    (tmp_path / "torn.tar.gz").write_bytes(b"\x1f\x8b torn")
    (tmp_path / "torn.jsonl.gz").write_bytes(gzip.compress(b'{"code": "' + bytes(9999))[:40])
    (tmp_path / "none.jsonl").write_text("\n")
    os.mkfifo(tmp_path / "pipe.c")
    refused(tmp_path / "missing", scratch, "no such file or folder")
    refused(tmp_path / "empty", scratch, "nothing to lower")
    refused(tmp_path / "none.jsonl", scratch, "nothing to lower")
    refused(tmp_path / "notes.txt", scratch, "not a C, C")
    refused(tmp_path / "bad.jsonl", scratch, r"bad\.jsonl:2: not a JSON object with a 'code'")
    refused(tmp_path / "torn.tar.gz", scratch, "cannot be unpacked")
    refused(tmp_path / "torn.jsonl.gz", scratch, "cannot be read")
    refused(tmp_path / "pipe.c", scratch, "neither a regular file")
    with pytest.raises(OscarError, match="no source given"):
        find_units([], scratch)


def test_the_hash_sees_units_names_and_headers(tree, scratch):
    def current():
        return content_hash(find_units([tree], scratch))

    hashes = [current(), current()]
    (tree / "a/x.h").write_text("#define X 1")
    hashes.append(current())
    (tree / "b.c").write_text("int bb;")
    hashes.append(current())
    (tree / "b.c").rename(tree / "c.c")
    hashes.append(current())
    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == 4
