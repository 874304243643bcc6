import os
import signal
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest

from ir_pipeline.scratch import scratch_folder, shared_folder, sweep

NAME = "0123456789abcdef"


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """A folder for temporary files that only this test uses."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def test_a_scratch_folder_is_private_and_goes_away(place):
    with scratch_folder() as one, scratch_folder() as other:
        assert one != other
        assert one.stat().st_mode & 0o777 == 0o700
        (one / "file").touch()
    assert list(place.iterdir()) == []


@pytest.fixture
def killed(place):
    """The scratch folder of a process that was killed while it used it."""
    code = (
        "from ir_pipeline.scratch import scratch_folder\n"
        "with scratch_folder() as folder:\n"
        "    (folder / 'file').touch(); print(folder, flush=True); input()"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        folder = Path(process.stdout.readline().decode().strip())
        sweep()
        assert (folder / "file").exists(), "it was swept while it was used"
        os.kill(process.pid, signal.SIGKILL)
    return folder


def test_what_a_killed_run_left_is_removed_by_the_next(killed):
    assert killed.exists()
    with scratch_folder():
        assert not killed.exists()


def test_other_folders_and_links_are_left_alone(place):
    (place / "oscar-scratch-").mkdir()
    (place / "oscar-scratch-My.Thesis").mkdir()
    (place / "thesis").mkdir()
    (place / "oscar-scratch-12345678").symlink_to(place / "thesis")
    before = sorted(place.iterdir())
    sweep()
    assert sorted(place.iterdir()) == before


def test_a_shared_folder_is_filled_once_and_kept_while_it_is_used(place):
    fills = []

    def fill(folder):
        fills.append(folder)
        (folder / "file").touch()

    with ExitStack() as users:
        for _ in range(3):
            folder = users.enter_context(shared_folder(NAME, fill))
            sweep()
            assert (folder / "file").exists()
    assert len(fills) == 1
    sweep()
    assert list(place.iterdir()) == []


def test_what_was_not_filled_to_its_end_is_filled_anew(place):
    def fail(folder):
        (folder / "half").touch()
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space"), shared_folder(NAME, fail):
        pass
    with shared_folder(NAME, lambda folder: (folder / "whole").touch()) as folder:
        assert [path.name for path in folder.iterdir()] == ["whole"]
