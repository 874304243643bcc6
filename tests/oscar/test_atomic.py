import os

import pytest

from oscar.atomic import replacing, write_atomically


def test_writes_into_a_new_folder_and_over_an_old_file(tmp_path):
    path = tmp_path / "new" / "file"
    write_atomically(path, b"first")
    write_atomically(path, b"second")
    assert path.read_bytes() == b"second"
    assert [entry.name for entry in path.parent.iterdir()] == ["file"]


def test_a_failure_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_atomically(path, b"old")

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_a_folder_takes_the_place_of_another_only_when_it_is_complete(tmp_path):
    path = tmp_path / "folder"
    with replacing(path) as unfinished:
        unfinished.mkdir()
        (unfinished / "old").touch()
    with pytest.raises(FileNotFoundError), replacing(path) as unfinished:
        (unfinished / "new" / "deep").mkdir()
    assert [entry.name for entry in path.iterdir()] == ["old"]
    with replacing(path) as unfinished:
        unfinished.mkdir()
        (unfinished / "new").touch()
    assert [entry.name for entry in path.iterdir()] == ["new"]
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]
