import fcntl
from collections import Counter

import pytest

from ir_pipeline.corpus.staging import Staging
from ir_pipeline.engine.counts import Counts
from ir_pipeline.errors import Failure
from ir_pipeline.rows.row import row_schema
from static_analysis import OscarError

PLAN = {"format_version": 1, "seed": 0}
EMPTY = [row_schema().empty_table()]
FAILURE = Failure("a.c", "compile", "compile error", "error: ü")


@pytest.fixture
def staging(tmp_path):
    staging = Staging(tmp_path)
    staging.open(PLAN)
    yield staging
    staging.close()


def test_a_chunk_comes_back_as_it_was(staging):
    counts = Counts(units=2, errors=Counter({"compile error": 1}))
    assert staging.chunk(0) is None
    staging.write_chunk(0, EMPTY, counts, [FAILURE])
    chunk = staging.chunk(0)
    assert (chunk.counts, chunk.failures) == (counts, [FAILURE])
    assert chunk.rows.exists()


def test_rows_without_their_record_are_no_chunk(staging):
    staging.write_chunk(3, EMPTY, Counts(), [])
    (staging.folder / "chunk-000003.json").unlink()
    assert staging.chunk(3) is None


def test_only_an_equal_plan_keeps_the_chunks(staging, tmp_path):
    staging.write_chunk(0, EMPTY, Counts(), [])
    staging.close()
    again = Staging(tmp_path)
    again.open(PLAN)
    assert again.chunk(0) is not None
    again.close()
    other = Staging(tmp_path)
    other.open({**PLAN, "seed": 1})
    assert other.chunk(0) is None
    assert other.plan() == {**PLAN, "seed": 1}
    other.close()


def test_two_runs_do_not_share_a_folder(staging, tmp_path):
    with pytest.raises(OscarError, match="another run"):
        Staging(tmp_path).open(PLAN)


def test_a_lock_that_was_deleted_holds_nothing(staging, tmp_path, monkeypatch):
    flock = fcntl.flock

    def end_first(file, how):
        staging.remove()
        flock(file, how)

    monkeypatch.setattr(fcntl, "flock", end_first)
    with pytest.raises(OscarError, match="another run"):
        Staging(tmp_path).open(PLAN)


def test_a_fresh_run_keeps_no_chunk(staging, tmp_path):
    staging.write_chunk(0, EMPTY, Counts(), [])
    staging.close()
    again = Staging(tmp_path)
    again.open(PLAN, fresh=True)
    assert again.chunk(0) is None
    again.close()
