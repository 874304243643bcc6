import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ir_pipeline.corpus import shards
from ir_pipeline.corpus.shards import write_errors, write_shards
from ir_pipeline.errors import Failure
from ir_pipeline.rows.row import row_schema


def chunk(path, sizes):
    """A chunk with one row per size, its number of instructions."""
    columns = {field.name: pa.nulls(len(sizes), field.type) for field in row_schema()}
    columns["n_instructions"] = pa.array(sizes, pa.int32())
    pq.write_table(pa.table(columns, schema=row_schema()), path)
    return path


@pytest.fixture
def written(tmp_path, monkeypatch):
    monkeypatch.setattr(shards, "MOST_ROWS", 5)
    monkeypatch.setattr(shards, "MOST_INSTRUCTIONS", 100)
    monkeypatch.setattr(shards, "_ROW_GROUP", 2)

    def write(*parts):
        paths = [chunk(tmp_path / f"{i}.parquet", sizes) for i, sizes in enumerate(parts)]
        made = write_shards(paths, tmp_path / "shards")
        return [pq.read_table(path)["n_instructions"].to_pylist() for path, _ in made]

    return write


def test_all_rows_in_order_in_shards_of_bounded_rows(written):
    found = written([1] * 4, [], [2] * 7)
    assert [row for shard in found for row in shard] == [1] * 4 + [2] * 7
    assert all(len(shard) <= 5 for shard in found)


def test_large_functions_make_more_shards(written):
    assert written([60, 10, 60], [300], [1]) == [[60, 10], [60], [300], [1]]


def test_how_rows_are_chunked_makes_no_difference_beyond_row_groups(written):
    assert written([1, 2], [3, 4]) == written([1, 2, 3, 4])


def test_an_empty_corpus_has_one_readable_shard(written):
    assert written() == [[]]


def test_errors_are_one_row_each(tmp_path):
    failures = [Failure("a.c", "compile", "compile error", "line"), Failure("b.c", "r", "s", "")]
    write_errors(failures, tmp_path / "errors.parquet")
    assert [
        Failure(**row) for row in pq.read_table(tmp_path / "errors.parquet").to_pylist()
    ] == failures
    write_errors([], tmp_path / "none.parquet")
    assert pq.read_table(tmp_path / "none.parquet").column_names == [
        "unit",
        "stage",
        "reason",
        "message",
    ]
