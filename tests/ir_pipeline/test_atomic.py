import os
from pathlib import Path

import pytest

from ir_pipeline.atomic import replacing, write_atomically
from static_analysis import OscarError


def write_folder(path, name):
    with replacing(path) as draft:
        (draft / "below").mkdir(parents=True)
        (draft / "below" / name).write_text(name)


def names(folder):
    return [entry.name for entry in folder.iterdir()]


def test_writes_into_a_new_folder_and_over_an_old_file(tmp_path):
    path = tmp_path / "new" / "file"
    write_atomically(path, b"first")
    write_atomically(path, memoryview(b"second"))
    assert path.read_bytes() == b"second"
    assert names(path.parent) == ["file"]


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path):
    write_atomically(tmp_path / "file", b"old")
    with pytest.raises(TypeError):
        write_atomically(tmp_path / "file", "not bytes")
    assert (tmp_path / "file").read_bytes() == b"old"
    assert names(tmp_path) == ["file"]


def test_a_folder_takes_the_place_of_another_only_when_it_is_complete(tmp_path):
    path = tmp_path / "folder"
    write_folder(path, "old")
    with pytest.raises(FileNotFoundError), replacing(path) as draft:
        (draft / "new" / "deep").mkdir()
    assert names(path / "below") == ["old"]
    write_folder(path, "new")
    assert names(path / "below") == ["new"]
    assert names(tmp_path) == ["folder"]


def test_the_old_folder_comes_back_if_the_new_one_cannot_take_its_place(tmp_path, monkeypatch):
    path = tmp_path / "folder"
    write_folder(path, "old")
    replace = os.replace

    def fail(source, target):
        if Path(target) == path and not Path(source).name.endswith(".old"):
            raise OSError("disk full")
        replace(source, target)

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_folder(path, "new")
    assert names(path / "below") == ["old"]
    assert names(tmp_path) == ["folder"]


def test_a_file_never_takes_the_place_of_a_folder_nor_a_folder_that_of_a_file(tmp_path):
    write_folder(tmp_path / "folder", "kept")
    (tmp_path / "file").write_text("kept")
    with pytest.raises(OscarError, match=r"folder is a folder: name a file$"):
        write_atomically(tmp_path / "folder", b"")
    with pytest.raises(OscarError, match=r"file is a file: name a folder$"):
        write_folder(tmp_path / "file", "new")
    assert names(tmp_path / "folder" / "below") == ["kept"]
    assert (tmp_path / "file").read_text() == "kept"
    assert sorted(names(tmp_path)) == ["file", "folder"]


@pytest.mark.parametrize("path", [".", "", "..", "below/..", "/"])
def test_the_current_folder_and_those_above_stay(tmp_path, monkeypatch, path):
    here = tmp_path / "here"
    (here / "below").mkdir(parents=True)
    monkeypatch.chdir(here)
    for write in (lambda: write_atomically(Path(path), b""), lambda: write_folder(Path(path), "x")):
        with pytest.raises(OscarError, match="is a folder you are in: name a file or folder"):
            write()
    assert names(here) == ["below"]
    assert names(tmp_path) == ["here"]


def test_a_name_without_a_folder_means_the_current_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_atomically(Path("file"), b"data")
    write_folder(Path("./folder/"), "new")
    assert sorted(names(tmp_path)) == ["file", "folder"]


def test_a_link_is_replaced_and_what_it_points_to_stays(tmp_path):
    write_folder(tmp_path / "target", "kept")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_folder(tmp_path / "link", "new")
    assert names(tmp_path / "target" / "below") == ["kept"]
    assert names(tmp_path / "link" / "below") == ["new"]
    assert not (tmp_path / "link").is_symlink()
