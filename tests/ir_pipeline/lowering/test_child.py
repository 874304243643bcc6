import time
from pathlib import Path

import pytest

from ir_pipeline.errors import LoweringError
from ir_pipeline.limits import Limits
from ir_pipeline.lowering.child import run_limited


def run(command: str, scratch: Path, limits: Limits) -> None:
    run_limited(("sh", "-c", command), cwd=scratch, scratch=scratch, limits=limits)


def test_a_good_command_leaves_its_files_in_scratch(tmp_path):
    run('echo kept > "$TMPDIR/file"; echo "$ZIG_LOCAL_CACHE_DIR" > zig', tmp_path, Limits())
    assert (tmp_path / "file").read_text() == "kept\n"
    assert Path((tmp_path / "zig").read_text().strip()).is_relative_to(tmp_path)


def test_the_first_error_line_is_the_message(tmp_path):
    said = "echo 'a.c:1: note: x'; echo 'a.c:2: error: bad  thing'; echo 'error: later'; exit 1"
    with pytest.raises(LoweringError, match=r"^a\.c:2: error: bad thing$") as caught:
        run(said, tmp_path, Limits())
    assert (caught.value.stage, caught.value.reason) == ("compile", "compile error")


def test_a_command_past_its_time_is_killed_with_its_children(tmp_path):
    start = time.monotonic()
    command = "(sleep 1; echo alive > survivor) & sleep 60"
    with pytest.raises(LoweringError) as caught:
        run(command, tmp_path, Limits(compile_seconds=0.3))
    assert caught.value.reason == "time limit"
    assert time.monotonic() - start < 0.9
    time.sleep(1)
    assert not (tmp_path / "survivor").exists()


def test_output_is_bounded(tmp_path):
    with pytest.raises(LoweringError) as caught:
        run("exec head -c 3000000 /dev/zero > big", tmp_path, Limits(output_mb=1))
    assert caught.value.reason == "output limit"
    assert (tmp_path / "big").stat().st_size <= 2**20


def test_a_signal_is_named(tmp_path):
    with pytest.raises(LoweringError, match="SIGSEGV") as caught:
        run("kill -SEGV $$", tmp_path, Limits())
    assert caught.value.reason == "crash"


def test_memory_is_bounded(tmp_path):
    import sys

    code = "try: bytearray(2**31)\nexcept MemoryError: raise SystemExit('out of memory')"
    command = (sys.executable, "-S", "-c", code)
    with pytest.raises(LoweringError, match="needs more than 1 GB") as caught:
        run_limited(command, cwd=tmp_path, scratch=tmp_path, limits=Limits(memory_gb=1))
    assert (caught.value.stage, caught.value.reason) == ("compile", "memory limit")


def test_variables_that_steer_a_compiler_do_not_reach_it(tmp_path, monkeypatch):
    for name in ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS"):
        monkeypatch.setenv(name, "/elsewhere")
    run("env > seen", tmp_path, Limits())
    assert "/elsewhere" not in (tmp_path / "seen").read_text()
