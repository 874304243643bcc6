import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ir_pipeline import open_corpus
from ir_pipeline.preprocess import preprocess
from static_analysis import OscarError

OSCAR = str(Path(sys.executable).with_name("oscar"))


def oscar(*arguments):
    command = [OSCAR, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_the_verb_writes_a_corpus_and_a_table(loops_file, tmp_path, capsys):
    preprocess([loops_file], out=tmp_path / "out", views=["2"], workers=1)
    said = capsys.readouterr().out
    for what in ("units", "functions", "rows", "instructions", "instructions per second"):
        assert what in said
    assert open_corpus(tmp_path / "out").manifest["options"]["views"] == ["O0", "O1"]


@pytest.mark.parametrize(("record", "said"), [(False, "folders, files"), (True, "-- make")])
def test_without_sources_it_says_what_to_give(tmp_path, record, said):
    with pytest.raises(OscarError, match=said):
        preprocess(out=tmp_path / "out", record=record)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("limit", "value"), [("time_limit", -1), ("memory_limit_gb", 0)])
def test_limits_without_sense_are_refused(loops_file, tmp_path, limit, value):
    with pytest.raises(OscarError, match=limit.replace("_", "-")):
        preprocess([loops_file], out=tmp_path / "out", **{limit: value})
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_the_command_line_takes_all_options(loops_file, tmp_path):
    done = oscar(
        "preprocess", loops_file, "--out", tmp_path / "out", "--views", "O0", "--views", "O2",
        "--std", "c11", "--workers", "1", "--time-limit", "60", "--memory-limit-gb", "3",
        "--seed", "5", "--view-time-limit", "20", "--dedup", "exact", "--library",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    options = open_corpus(tmp_path / "out").manifest["options"]
    assert options == {
        "views": ["O0", "O2"],
        "std": "c11",
        "seed": 5,
        "dedup": "exact",
        "library": True,
        "time_limit": 60.0,
        "view_time_limit": 20.0,
        "memory_limit_gb": 3.0,
    }


@pytest.mark.slow
def test_errors_are_one_line_and_status_1(tmp_path):
    done = oscar("preprocess", tmp_path / "missing", "--out", tmp_path / "out")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "no such file or folder" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_told_to_stop_leaves_a_state_to_continue_from(tmp_path, number):
    for i in range(300):
        (tmp_path / f"{i:03d}.c").write_text(f"int f{i}(int x) {{ return x + {i}; }}")
    out, scratch = tmp_path / "out", tmp_path / "scratch"
    scratch.mkdir()
    command = [OSCAR, "preprocess", tmp_path, "--out", out, "--views", "1"]
    environment = {**os.environ, "TMPDIR": str(scratch)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as run:
        while not list(out.glob(".staging/chunk-*.json")):
            assert run.poll() is None
            time.sleep(0.01)
        run.send_signal(number)
        _, said = run.communicate(timeout=30)
    assert run.returncode == 130
    assert "Traceback" not in said
    assert not list(scratch.glob("oscar-*"))
    assert oscar(*command[1:]).returncode == 0
    assert open_corpus(out).manifest["counts"]["rows"] == 300
