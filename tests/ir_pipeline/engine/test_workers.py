import os
import subprocess
import sys
import time
from dataclasses import replace
from importlib import import_module

import pytest

from ir_pipeline.engine.tasks import function_rows
from ir_pipeline.engine.workers import run_units
from ir_pipeline.errors import Failure
from ir_pipeline.sources.find import Unit, find_units
from static_analysis import OscarError

# LLVM's parser recurses once per nesting level and runs out of stack.
ABORTING = f"@x = global {'{' * 400_000}{'}' * 400_000} undef"
GOOD = "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n"


@pytest.fixture
def units(tmp_path):
    texts = {"1.ll": GOOD, "2.ll": ABORTING, "3.ll": "bad", "4.ll": GOOD, "5.ll": GOOD}
    (tmp_path / "units").mkdir()
    for name, text in texts.items():
        (tmp_path / "units" / name).write_text(text)
    return find_units([tmp_path / "units"], tmp_path)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_unit_that_kills_its_worker_costs_one_row(units, settings, workers):
    results = list(run_units(function_rows, units, settings, workers))
    assert [unit.name for unit, _ in results] == ["1.ll", "2.ll", "3.ll", "4.ll", "5.ll"]
    crash = results[1][1]
    assert isinstance(crash, Failure)
    assert (crash.stage, crash.reason) == ("worker", "crash")
    assert "SIGSEGV" in crash.message
    assert [isinstance(result, Failure) for _, result in results] == [
        False,
        True,
        True,
        False,
        False,
    ]


FRAGILE = """
import os, time
from ir_pipeline.engine.tasks import function_rows
from ir_pipeline.views.view_maker import ViewMaker
make = ViewMaker.make
def fragile(maker, name):
    if name == "O1":
        os.abort()
    if name == "O3":
        time.sleep(60)
    return make(maker, name)
def task(unit, settings):
    ViewMaker.make = fragile
    try:
        return function_rows(unit, settings)
    finally:
        ViewMaker.make = make
"""


@pytest.fixture
def fragile(tmp_path, monkeypatch):
    """A task whose views O1 and O3 crash and hang, in a module that workers can import."""
    (tmp_path / "fragile_views.py").write_text(FRAGILE)
    monkeypatch.syspath_prepend(tmp_path)
    return import_module("fragile_views").task


def test_a_view_that_ends_its_worker_or_its_time_costs_that_view(settings, fragile, loops_file):
    limits = replace(settings.limits, unit_seconds=2, view_seconds=30)
    views = ("O0", "O1", "O2", "O3", "random-0")
    units = find_units([loops_file], loops_file)
    settings = replace(settings, limits=limits, views=views)
    [(_, result)] = run_units(fragile, units, settings, 1)
    assert {row.view for row in result.rows} == {"O0", "O2"}
    assert result.dropped["view failed: crash"] == 3
    assert result.dropped["view failed: time limit"] == 2 * 3
    [(_, failure)] = run_units(fragile, units, replace(settings, views=("O1", "O3")), 1)
    assert (failure.stage, failure.reason) == ("worker", "time limit")


def test_a_view_past_its_own_time_costs_no_other(settings, fragile, loops_file):
    limits = replace(settings.limits, view_seconds=0.5)
    units = find_units([loops_file], loops_file)
    settings = replace(settings, limits=limits, views=("O0", "O3", "random-0"))
    [(_, result)] = run_units(fragile, units, settings, 1)
    assert {row.view for row in result.rows} == {"O0", "random-0"}
    assert result.dropped["view failed: time limit"] == 3
    [(_, failure)] = run_units(fragile, units, replace(settings, views=("O3",)), 1)
    assert (failure.stage, failure.reason) == ("view", "time limit")
    assert failure.message == "took more than 0.5 s"


KILLED = """
import os, signal
from pathlib import Path
from ir_pipeline.engine.tasks import function_rows
def task(unit, settings):
    kills = Path(unit.path).with_suffix(".kills")
    kills.write_text(kills.read_text() + "x" if kills.exists() else "x")
    if len(kills.read_text()) <= {kills}:
        os.kill(os.getpid(), signal.SIGKILL)
    return function_rows(unit, settings)
"""


@pytest.mark.parametrize("kills", [2, 9])
def test_a_worker_that_the_system_kills_loses_a_unit_only_if_it_does_so_each_time(
    settings, tmp_path, monkeypatch, kills
):
    (tmp_path / "a.ll").write_text(GOOD)
    (tmp_path / f"killed_{kills}.py").write_text(KILLED.format(kills=kills))
    monkeypatch.syspath_prepend(tmp_path)
    units = find_units([tmp_path / "a.ll"], tmp_path)
    task = import_module(f"killed_{kills}").task
    [(_, result)] = run_units(task, units, settings, 1)
    if kills == 2:
        assert [row.function for row in result.rows] == ["f"]
    else:
        assert (result.stage, result.reason) == ("worker", "killed")
        assert "SIGKILL" in result.message
        assert (tmp_path / "a.kills").read_text() == "xxxx"


def test_a_unit_that_hangs_costs_one_row_and_leaves_no_process(settings, tmp_path):
    # Twice nothing, forty times over.
    macros = "".join(f"#define A{i + 1} A{i} A{i}\n" for i in range(40))
    (tmp_path / "hang.c").write_text(f"#define A0\n{macros}A40\n")
    (tmp_path / "ok.ll").write_text(GOOD)
    limits = replace(settings.limits, unit_seconds=1.5, compile_seconds=60)
    files = [tmp_path / "hang.c", tmp_path / "ok.ll"]
    units = find_units(files, tmp_path)
    start = time.monotonic()
    results = [r for _, r in run_units(function_rows, units, replace(settings, limits=limits), 1)]
    assert (results[0].stage, results[0].reason) == ("worker", "time limit")
    assert len(results[1].rows) == 1
    assert time.monotonic() - start < 20
    assert not _running("hang.c")


def test_a_run_that_is_killed_leaves_no_process(tmp_path, toolchain):
    clang = tmp_path / "clang"
    clang.write_text(
        '#!/bin/sh\ncase "$*" in *-S*) ;; *) echo clang version 22; exit;; esac\n'
        f"echo $$ > {tmp_path}/compiler; exec sleep 60"
    )
    clang.chmod(0o755)
    (tmp_path / "a.c").touch()
    code = (
        "from ir_pipeline import read_functions; from pathlib import Path; place = "
        f"Path({str(tmp_path)!r}); list(read_functions([place / 'a.c'], clang=place / 'clang'))"
    )
    with subprocess.Popen([sys.executable, "-c", code], start_new_session=True) as run:
        _wait_until((tmp_path / "compiler").exists)
        assert len(_session(run.pid)) > 2
        run.kill()
    _wait_until(lambda: _session(run.pid) == [])
    compiler = int((tmp_path / "compiler").read_text())
    _wait_until(lambda: not os.path.exists(f"/proc/{compiler}"))


def _wait_until(condition):
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def _session(leader: int) -> list[str]:
    """The processes of a session, those apart that nobody has buried."""
    command = ["ps", "-o", "stat=,pid=", "-s", str(leader)]
    found = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return [line for line in found.splitlines() if not line.startswith("Z")]


def _running(word: str) -> bool:
    found = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    return any(word in line and "zig" in line for line in found.stdout.splitlines())


def test_results_come_in_the_order_of_the_units(settings):
    units = [Unit("p", str(i), "fragment", settings.scratch, code="") for i in range(8)]
    results = list(run_units(function_rows, units, settings, 2))
    assert [unit.name for unit, _ in results] == [str(i) for i in range(8)]


def process_of(unit, settings):
    return os.getpid()


def test_a_worker_is_replaced_before_its_memory_has_grown_much(units, settings, monkeypatch):
    monkeypatch.setattr("ir_pipeline.engine.workers._UNITS_OF_A_WORKER", 2)
    processes = [process for _, process in run_units(process_of, units, settings, workers=1)]
    assert processes[0] == processes[1]
    assert processes[2] == processes[3]
    assert len(set(processes)) == 3


def test_no_workers_is_refused(settings):
    with pytest.raises(OscarError, match="at least one"):
        list(run_units(function_rows, [], settings, 0))


@pytest.mark.parametrize("memory_gb", [0.01, 0.2])
def test_too_little_memory_for_a_worker_ends_the_run_with_a_line(settings, units, memory_gb):
    limits = replace(settings.limits, memory_gb=memory_gb)
    start = time.monotonic()
    with pytest.raises(OscarError, match=r"no worker process can start: --memory-limit-gb") as said:
        list(run_units(function_rows, units, replace(settings, limits=limits), 2))
    assert "\n" not in str(said.value)
    assert time.monotonic() - start < 10


def test_a_script_without_main_guard_may_call_the_library(tmp_path, loops_file):
    script = tmp_path / "script.py"
    script.write_text(f"from ir_pipeline import lower\nprint(lower({str(loops_file)!r})[:17])\n")
    command = [sys.executable, str(script)]
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
    assert done.stdout.splitlines() == ["target datalayout"]
    assert done.stderr == ""


def test_the_main_module_stays_whole_while_workers_start(tmp_path):
    (tmp_path / "a.ll").write_text(GOOD)
    script = tmp_path / "script.py"
    script.write_text(
        "import threading\n"
        "from pathlib import Path\n"
        "from ir_pipeline import read_functions\n"
        "lost, done = [], threading.Event()\n"
        "def look():\n"
        "    while not done.is_set():\n"
        "        lost.extend({'__file__', '__spec__'} - globals().keys())\n"
        "looker = threading.Thread(target=look)\n"
        "looker.start()\n"
        "files = [Path(__file__).with_name('a.ll')]\n"
        "rows = [len(list(read_functions(files))) for _ in range(3)]\n"
        "done.set()\n"
        "print(rows, set(lost))\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    command = [sys.executable, str(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
    assert (done.stdout, done.stderr) == ("[1, 1, 1] set()\n", "")
