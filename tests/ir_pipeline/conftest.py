import subprocess
from pathlib import Path

import pytest

from ir_pipeline.engine.work import Settings
from ir_pipeline.limits import Limits
from ir_pipeline.lowering.toolchain import find_toolchain

QUICK = Limits(unit_seconds=30, compile_seconds=20, memory_gb=3)

LOOPS = """
int twice(int x) { return 2 * x; }
int power(int x, int n) {
    int result = 1;
    for (int i = 0; i < n; i++) result *= x;
    return result;
}
int digits(int n) {
    int count = 0;
    do { n /= 10; count = twice(count) / 2 + 1; } while (n);
    switch (count) { case 1: return 10; case 2: return 20; default: return count; }
}
"""


@pytest.fixture(scope="session", autouse=True)
def _private_cache(tmp_path_factory):
    """Precompiled headers of the tests stay out of the user's cache, and workers see that."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def toolchain():
    return find_toolchain()


@pytest.fixture
def settings(toolchain, tmp_path):
    return Settings(toolchain, ("O0",), None, QUICK, seed=0, scratch=tmp_path)


@pytest.fixture(scope="session")
def limits():
    return QUICK


@pytest.fixture(scope="session")
def loops_file(tmp_path_factory):
    """A C file with branches, loops, a switch and a call."""
    file = tmp_path_factory.mktemp("loops") / "loops.c"
    file.write_text(LOOPS)
    return file


@pytest.fixture(scope="session")
def loops_ir(loops_file):
    """Its IR at O0."""
    from ir_pipeline import lower

    return lower(loops_file)


@pytest.fixture
def fake_program(tmp_path):
    """Makes executables from shell text."""

    def make(text: str, name: str = "program") -> Path:
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path

    return make


@pytest.fixture
def run_python():
    """Runs Python code in a fresh interpreter and returns the finished process."""
    import sys

    def run(code: str, **options):
        command = [sys.executable, "-c", code]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)

    return run
