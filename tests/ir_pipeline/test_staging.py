from collections import Counter

import pytest

from ir_pipeline.counts import Counts
from ir_pipeline.errors import Failure
from ir_pipeline.rows import row_schema
from ir_pipeline.staging import Staging
from static_analysis import OscarError

EMPTY = [row_schema().empty_table()]
FAILURE = Failure("a.c", "compile", "compile error", "error: ü")


@pytest.fixture
def staging(tmp_path):
    staging = Staging(tmp_path)
    staging.open({"seed": 0})
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
    again.open({"seed": 0})
    assert again.chunk(0) is not None
    again.close()
    other = Staging(tmp_path)
    other.open({"seed": 1})
    assert other.chunk(0) is None
    assert other.plan() == {"seed": 1}
    other.close()


def test_two_runs_do_not_share_a_folder(staging, tmp_path):
    with pytest.raises(OscarError, match="another run"):
        Staging(tmp_path).open({"seed": 0})
