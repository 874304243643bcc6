import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from ir_pipeline.engine.batch import run_batch
from ir_pipeline.engine.cluster import run_on_cluster
from ir_pipeline.engine.engines import choose_engine
from ir_pipeline.engine.session import check_reachable
from ir_pipeline.engine.tasks import encoded_unit
from ir_pipeline.engine.tools import tool_versions
from ir_pipeline.engine.workers import run_units
from ir_pipeline.errors import Failure
from ir_pipeline.sources.find import find_units
from static_analysis import OscarError

# LLVM's parser recurses once per nesting level and runs out of stack.
ABORTING = f"@x = global {'{' * 400_000}{'}' * 400_000} undef"


def test_engines_are_chosen_by_name():
    assert choose_engine("local", None, 2).func is run_units
    assert choose_engine("ray", None, 2).func is run_on_cluster
    assert choose_engine("ray").keywords["address"] == "local"
    assert choose_engine("ray", "auto").keywords["address"] == "auto"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("spark",), "choose local or ray"),
        (("local", "auto"), "add --engine ray"),
        (("ray", None, 0), "at least one"),
    ],
)
def test_impossible_engines_are_refused_in_a_line(options, said):
    with pytest.raises(OscarError, match=said):
        choose_engine(*options)


@pytest.fixture
def door():
    """A port of this machine; nothing listens there before `door.listen()`."""
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        yield nobody


@pytest.mark.parametrize("kind", ["{}", "ray://{}", "auto"])
def test_a_cluster_is_knocked_at_before_ray_waits_for_it(door, kind, monkeypatch):
    place = f"127.0.0.1:{door.getsockname()[1]}"
    monkeypatch.setenv("RAY_ADDRESS", place)
    address = kind.format(place)
    with pytest.raises(OscarError, match=f"{place}.*: nothing answers there: ") as caught:
        check_reachable(address)
    assert str(caught.value).startswith(f"--address {address}")


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"SSH-2.0-x\r\n"])
def test_a_server_that_is_not_rays_is_refused(door, answer):
    door.listen()

    def serve() -> None:
        connection, _ = door.accept()
        with connection:
            connection.recv(1024)
            connection.sendall(answer)

    thread = threading.Thread(target=serve)
    thread.start()
    with pytest.raises(OscarError, match="no Ray cluster answers there: is it the right port"):
        check_reachable(f"127.0.0.1:{door.getsockname()[1]}")
    thread.join()


def test_a_server_that_says_nothing_is_not_waited_for(door, monkeypatch):
    monkeypatch.setattr("ir_pipeline.engine.session._KNOCK_SECONDS", 0.2)
    door.listen()
    address = f"127.0.0.1:{door.getsockname()[1]}"
    with pytest.raises(OscarError, match=f"{address}: nothing answers there: timed out"):
        check_reachable(address)
    # What is said to a cluster with TLS, nobody else understands.
    monkeypatch.setenv("RAY_USE_TLS", "1")
    check_reachable(address)


def test_a_server_that_could_be_rays_is_left_to_ray():
    grpc = pytest.importorskip("grpc")
    server = grpc.server(ThreadPoolExecutor(1))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    check_reachable(f"127.0.0.1:{port}")
    server.stop(None).wait()


@pytest.mark.parametrize("address", ["127.0.0.1:99999", "[::1]:1", f"{'a' * 70}.test:1", "..:1"])
def test_an_address_that_cannot_be_is_refused_in_a_line(address):
    with pytest.raises(OscarError, match="nothing answers there") as caught:
        check_reachable(address)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("address", ["local", "auto"])
def test_a_cluster_without_an_address_is_left_to_ray_to_find(address, monkeypatch):
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    check_reachable(address)


def test_a_cluster_that_does_not_answer_ends_a_run(settings, door):
    pytest.importorskip("ray")
    address = f"127.0.0.1:{door.getsockname()[1]}"
    with pytest.raises(OscarError, match=f"{address}: nothing answers there"):
        list(run_on_cluster(encoded_unit, [], settings, address=address))


def test_a_machine_with_other_tools_does_no_work(settings):
    tools = {**tool_versions(settings), "llvmlite": "0.1"}
    with pytest.raises(OscarError, match=r"has llvmlite .* and this run 0\.1: install the same"):
        run_batch(encoded_unit, [], settings, tools, {})


def test_a_batch_is_worked_on_as_if_at_home(settings, loops_file, tmp_path):
    units = find_units([loops_file], tmp_path)
    here = [result for _, result in run_units(encoded_unit, units, settings, 1)]
    root = loops_file.parent
    # The machine has the file at another place.
    place = {root: ("0123456789", None)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ir_pipeline.engine.batch._receive", lambda _, to: _copy(loops_file, to))
        patch.setattr(tempfile, "tempdir", str(tmp_path))
        there = run_batch(encoded_unit, units, settings, tool_versions(settings), place)
    assert there == here


def _copy(file: Path, folder: Path) -> None:
    (folder / file.name).write_bytes(file.read_bytes())


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """A folder with what can happen to units, and a file that needs a header beside it."""
    root = tmp_path_factory.mktemp("sources") / "project"
    (root / "include").mkdir(parents=True)
    (root / "include/n.h").write_text("#define N 1\n")
    for i in range(40):
        text = f'#include "n.h"\nint f{i}(int x) {{ return x * {i} + N; }}\n'
        (root / f"{i:02d}.c").write_text(text)
    (root / "crash.ll").write_text(ABORTING)
    (root / "hang.c").write_text(
        "".join(f"#define A{i + 1} A{i} A{i}\n" for i in range(40)) + "A40"
    )
    (root / "wrong.c").write_text("int f(")
    single = tmp_path_factory.mktemp("single") / "single.c"
    single.with_name("m.h").write_text("#define M 2\n")
    single.write_text('#include "m.h"\nint g(int x) { return x + M; }\n')
    return [root, single]


@pytest.fixture
def cluster(settings, sources, tmp_path):
    """The arguments of an engine, and what the local one gives for them."""
    pytest.importorskip("ray", reason="the extra 'ray' is not installed")
    limits = replace(settings.limits, unit_seconds=4, compile_seconds=2)
    settings = replace(settings, limits=limits)
    units = find_units(sources, tmp_path)
    return (encoded_unit, units, settings), list(run_units(encoded_unit, units, settings, 2))


@pytest.mark.slow
def test_a_local_cluster_gives_the_same_as_this_machine(cluster):
    work, expected = cluster
    assert list(run_on_cluster(*work, workers=2)) == expected
    reasons = {r.reason for _, r in expected if isinstance(r, Failure)}
    assert reasons == {"crash", "time limit", "compile error"}
    assert not list(Path(tempfile.gettempdir()).glob("oscar-scratch-*/session_*"))


@pytest.mark.slow
def test_a_worker_that_is_killed_half_way_changes_nothing(cluster):
    work, expected = cluster
    results, killed = [], []
    for result in run_on_cluster(*work, workers=2):
        results.append(result)
        # Twice: Ray starts the batch again, and then that one.
        if len(results) in (1, 20):
            killed += _kill_worker()
    assert len(killed) == 2
    assert results == expected


def _kill_worker() -> list[int]:
    """Kills a process of our cluster that works on a batch."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        for pid, name in _descendants(os.getpid()):
            if name.startswith("ray::run_batch"):
                os.kill(pid, signal.SIGKILL)
                return [pid]
        time.sleep(0.01)
    return []


def _descendants(root: int) -> list[tuple[int, str]]:
    found = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, check=True)
    rows = [line.split(None, 2) for line in found.stdout.decode("utf-8", "replace").splitlines()]
    known, grown = {root}, True
    while grown:
        grown = False
        for pid, parent, *_ in rows:
            if int(parent) in known and int(pid) not in known:
                known.add(int(pid))
                grown = True
    return [(int(pid), args[0]) for pid, _, *args in rows if args and int(pid) in known]


@pytest.mark.slow
def test_a_cluster_that_is_not_there_is_one_line():
    pytest.importorskip("ray", reason="the extra 'ray' is not installed")
    code = (
        "from ir_pipeline.engine.cluster import run_on_cluster\n"
        "from static_analysis import OscarError\n"
        "try:\n    list(run_on_cluster(None, [], None, address='auto'))\n"
        "except OscarError as error:\n    print(error)"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    [line] = done.stdout.splitlines()
    assert line.startswith("--address auto: no Ray cluster can be used there: ")
    assert done.stderr == ""


@pytest.mark.slow
def test_sigterm_ends_a_run_on_a_cluster_as_any_other(tmp_path):
    pytest.importorskip("ray", reason="the extra 'ray' is not installed")
    for i in range(130):
        (tmp_path / f"{i:03d}.ll").write_text("define i32 @f(i32 %x) {\n  ret i32 %x\n}\n")
    words = ["preprocess", str(tmp_path), "--out", str(tmp_path / "out"), "--engine", "ray"]
    code = f"import sys; from oscar.cli import run; sys.exit(run({[*words, '--workers', '2']}))"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as run:
        while not list(tmp_path.glob("out/.staging/chunk-*.json")):
            assert run.poll() is None
            time.sleep(0.02)
        run.terminate()
        said = run.stdout.read().decode()
    assert (run.returncode, len(said.splitlines())) == (130, 1), said
