import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ir_pipeline import build_corpus, open_corpus
from ir_pipeline.corpus.staging import Staging
from ir_pipeline.engine.counts import Counts
from ir_pipeline.limits import Limits
from ir_pipeline.rows.row import COLUMNS, row_schema
from static_analysis import OscarError

VIEWS = ("O0", "O2", "random-0")


def contents(folder):
    """Every file below a folder with its bytes."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def module(i):
    return f"define i32 @f{i}(i32 %x) {{\n  %y = add i32 %x, {i}\n  ret i32 %y\n}}\n"


@pytest.fixture(scope="module")
def modules(tmp_path_factory):
    """150 small modules, three chunks; each tenth is no IR."""
    folder = tmp_path_factory.mktemp("modules")
    for i in range(150):
        (folder / f"{i:03d}.ll").write_text("no IR" if i % 10 == 9 else module(i))
    return folder


@pytest.fixture(scope="module")
def expected(modules, tmp_path_factory):
    """The corpus of the modules, made by one worker."""
    out = tmp_path_factory.mktemp("one") / "corpus"
    build_corpus([modules], out, views=VIEWS, workers=1)
    return contents(out)


def test_the_manifest_accounts_for_everything(modules, tmp_path):
    summary = build_corpus([modules], tmp_path / "out", views=VIEWS)
    manifest = json.loads((tmp_path / "out/manifest.json").read_text())
    counts = manifest["counts"]
    assert counts == summary.counts.as_json()
    assert (counts["units"], counts["functions"]) == (150, 135)
    assert counts["errors"] == {"invalid IR": 15}
    assert counts["rows"] + counts["dropped"]["identical view"] == 3 * 135
    rows = pq.read_table(tmp_path / "out/shards")
    assert tuple(rows.column_names) == COLUMNS
    assert sum(rows["n_instructions"].to_pylist()) == counts["instructions"]
    assert (
        len(set(zip(rows["group"].to_pylist(), rows["view"].to_pylist(), strict=True)))
        == rows.num_rows
    )
    errors = pq.read_table(tmp_path / "out/errors.parquet").to_pylist()
    assert [row["unit"] for row in errors] == [f"{i:03d}.ll" for i in range(9, 150, 10)]
    for shard in manifest["shards"]:
        data = (tmp_path / "out" / shard["file"]).read_bytes()
        assert sha256(data).hexdigest() == shard["sha256"]
    assert set(contents(tmp_path / "out")) == {
        "manifest.json",
        "errors.parquet",
        *(shard["file"] for shard in manifest["shards"]),
    }


def test_two_workers_write_the_same_bytes_as_one(modules, expected, tmp_path):
    build_corpus([modules], tmp_path / "out", views=VIEWS, workers=2)
    assert contents(tmp_path / "out") == expected


@pytest.mark.parametrize("kills", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_killed_run_is_continued_and_ends_with_the_same_bytes(modules, expected, tmp_path, kills):
    out = tmp_path / "out"
    command = _build_command(modules, out, "local")
    for chunks in range(1, kills + 1):
        with subprocess.Popen(command, start_new_session=True) as run:
            _wait_for(
                lambda wanted=chunks: len(list(out.glob(".staging/chunk-*.json"))) >= wanted, run
            )
            os.killpg(run.pid, signal.SIGKILL)
        assert not (out / "manifest.json").exists()
    seen = []
    build_corpus([modules], out, views=VIEWS, progress=lambda counts, _: seen.append(counts.units))
    assert seen[0] >= 64 * kills
    assert contents(out) == expected


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "seconds"), [("local", 5), ("ray", 25)])
def test_a_run_killed_at_random_moments_ends_with_the_same_bytes(
    modules, expected, tmp_path, engine, seconds
):
    if engine == "ray":
        pytest.importorskip("ray", reason="the extra 'ray' is not installed")
    out, temporary = tmp_path / "out", Path(tempfile.mkdtemp(prefix="kill"))
    environment = {**os.environ, "TMPDIR": str(temporary)}
    command, chance = _build_command(modules, out, engine), random.Random(engine)
    for _ in range(4):
        with subprocess.Popen(command, env=environment) as run:
            with suppress(subprocess.TimeoutExpired):
                run.wait(chance.uniform(0, seconds))
            run.kill()
    assert subprocess.run(command, env=environment, timeout=120).returncode == 0
    assert contents(out) == expected
    # What killed runs left in the temporary folder is gone, too.
    assert list(temporary.glob("oscar-*")) == []
    shutil.rmtree(temporary)


def _build_command(modules, out, engine):
    code = (
        "from pathlib import Path; from ir_pipeline import build_corpus; "
        f"build_corpus([Path({str(modules)!r})], Path({str(out)!r}), views={VIEWS!r}, workers=2, "
        f"engine={engine!r})"
    )
    return [sys.executable, "-c", code]


def _wait_for(condition, run):
    end = time.monotonic() + 60
    while not condition():
        assert run.poll() is None, "the run ended before it could be killed"
        assert time.monotonic() < end
        time.sleep(0.005)


def test_a_finished_corpus_is_left_alone_and_never_silently_replaced(modules, tmp_path):
    out = tmp_path / "out"
    few = sorted(modules.iterdir())[:3]
    build_corpus(few, out, views=1)
    before = contents(out)
    stamps = [path.stat().st_mtime_ns for path in sorted(out.rglob("*"))]
    assert build_corpus(few, out, views=1).counts.rows == 3
    assert [path.stat().st_mtime_ns for path in sorted(out.rglob("*"))] == stamps
    for changed in ({"views": 2}, {"views": 1, "seed": 1}, {"views": 1, "std": "c11"}):
        with pytest.raises(OscarError, match="--force"):
            build_corpus(few, out, **changed)
    with pytest.raises(OscarError, match="--force"):
        build_corpus(few[:2], out, views=1)
    assert contents(out) == before
    assert build_corpus(few[:2], out, views=1, force=True).counts.rows == 2
    assert open_corpus(out).manifest["counts"]["units"] == 2


def test_a_folder_with_other_files_is_never_touched(modules, tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    for force in (False, True):
        with pytest.raises(OscarError, match="other files"):
            build_corpus([modules], tmp_path, force=force)
    with pytest.raises(OscarError, match="not a folder"):
        build_corpus([modules], tmp_path / "thesis.tex")
    assert list(tmp_path.iterdir()) == [tmp_path / "thesis.tex"]


@pytest.mark.parametrize("text", ["{}", '{"name": "a web page"}', '{"format_version": "2"}'])
def test_a_foreign_manifest_makes_no_corpus(modules, tmp_path, text):
    (tmp_path / "manifest.json").write_text(text)
    (tmp_path / "shards").mkdir()
    (tmp_path / "shards" / "mine").touch()
    before = contents(tmp_path)
    for force in (False, True):
        with pytest.raises(OscarError, match="other files"):
            build_corpus([modules], tmp_path, force=force)
    assert contents(tmp_path) == before


def test_what_a_kill_after_the_manifest_left_is_tidied(modules, tmp_path):
    few = sorted(modules.iterdir())[:3]
    build_corpus(few, tmp_path / "out", views=1)
    before = contents(tmp_path)
    (tmp_path / "out" / ".staging").mkdir()
    assert build_corpus(few, tmp_path / "out", views=1).counts.rows == 3
    assert contents(tmp_path) == before
    assert not (tmp_path / "out" / ".staging").exists()


def test_force_does_not_pass_another_run(modules, tmp_path):
    few = sorted(modules.iterdir())[:3]
    build_corpus(few, tmp_path / "out", views=1)
    other = Staging(tmp_path / "out")
    other.open({"format_version": 1})
    other.write_chunk(0, [row_schema().empty_table()], Counts(), [])
    before = contents(tmp_path)
    with pytest.raises(OscarError, match="another run is writing there"):
        build_corpus(few[:2], tmp_path / "out", views=1, force=True)
    assert contents(tmp_path) == before
    other.close()
    assert build_corpus(few[:2], tmp_path / "out", views=1, force=True).counts.rows == 2
    assert not (tmp_path / "out" / ".staging").exists()


@pytest.mark.parametrize("name", ["file/out", "x" * 300, "nul\0byte", "file"])
def test_an_impossible_place_is_one_clear_line(modules, tmp_path, name):
    (tmp_path / "file").touch()
    with pytest.raises(OscarError, match=r"no corpus can be written there|not a folder") as caught:
        build_corpus([modules], tmp_path / name, views=1)
    assert "\n" not in str(caught.value)


def test_unusable_options_leave_nothing_behind(modules, tmp_path):
    out = tmp_path / "out"
    for wrong in (
        {"views": "O9"},
        {"clang": tmp_path / "gcc"},
        {"workers": 0},
    ):
        with pytest.raises(OscarError):
            build_corpus([modules], out, **wrong)
    with pytest.raises(OscarError, match="no such file"):
        build_corpus([tmp_path / "missing"], out)
    with pytest.raises(OscarError, match="nothing to lower"):
        build_corpus([tmp_path], out)
    assert not out.exists()


def test_a_run_that_could_not_start_does_not_claim_the_folder(modules, tmp_path):
    few, out = sorted(modules.iterdir())[:3], tmp_path / "out"
    with pytest.raises(OscarError, match="no worker process can start"):
        build_corpus(few, out, views=1, limits=Limits(memory_gb=0.1))
    assert build_corpus(few[:2], out, views=1).counts.rows == 2


def test_a_corpus_without_a_function_is_an_error_that_says_where_to_look(tmp_path):
    (tmp_path / "a.ll").write_text("no IR")
    with pytest.raises(OscarError, match=r"1 of 1 units failed.*errors\.parquet"):
        build_corpus([tmp_path / "a.ll"], tmp_path / "out")
    assert pq.read_table(tmp_path / "out/errors.parquet").num_rows == 1
    with pytest.raises(OscarError, match="1 of 1 units failed"):
        build_corpus([tmp_path / "a.ll"], tmp_path / "out")
    (tmp_path / "b.ll").write_text("declare void @f()")
    with pytest.raises(OscarError, match="no function is defined"):
        build_corpus([tmp_path / "b.ll"], tmp_path / "other")


def test_datasets_reads_a_corpus_without_our_code(corpus, tmp_path):
    from datasets import load_dataset

    files = [str(path) for path in open_corpus(corpus).shards]
    rows = load_dataset("parquet", data_files=files, split="train", cache_dir=str(tmp_path))
    assert tuple(rows.column_names) == COLUMNS
    assert {row["function"] for row in rows} >= {"sum", "product"}
    assert rows[0]["license"] in ("MIT", None)
