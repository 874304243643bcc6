from concurrent.futures import ThreadPoolExecutor

import pytest

from ir_pipeline.errors import LoweringError
from ir_pipeline.lowering.precompiled import precompiled_shim


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "oscar"


@pytest.fixture
def builder(fake_program, tmp_path):
    """A compiler that writes to its last argument and counts its calls in a file."""
    log = tmp_path / "calls"
    program = fake_program(f'for last; do :; done; echo header > "$last"; echo >> {log}')
    return str(program), log


def test_the_header_is_built_once_and_leaves_nothing_else(builder, cache, limits):
    program, log = builder
    with ThreadPoolExecutor(4) as pool:
        made = set(pool.map(lambda _: precompiled_shim((program,), "1", limits), range(8)))
    assert log.read_text() == "\n"
    (header,) = made
    assert header.read_text() == "header\n"
    assert {path.suffix for path in cache.iterdir()} == {".pch", ".lock"}


def test_other_flags_or_versions_get_another_header(builder, limits):
    program, _ = builder
    asked = [((program,), "1"), ((program, "-std=c++98"), "1"), ((program,), "2")]
    assert len({precompiled_shim(*which, limits) for which in asked}) == 3


def test_a_failed_build_leaves_no_header(fake_program, cache, limits):
    failing = str(fake_program("echo 'x: error: no'; exit 1"))
    with pytest.raises(LoweringError, match="error: no"):
        precompiled_shim((failing,), "1", limits)
    assert not list(cache.glob("*.pch"))
