from contextlib import contextmanager
from itertools import pairwise

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_pipeline.corpus import row_groups, shards
from ir_pipeline.corpus.row_groups import text_sizes
from ir_pipeline.corpus.shards import read_batches, write_errors, write_shards
from ir_pipeline.errors import Failure
from ir_pipeline.rows.row import row_schema


def rows(sizes, first=0):
    """One row per size, the bytes of its text; each names its place in `n_instructions`."""
    columns = {field.name: pa.nulls(len(sizes), field.type) for field in row_schema()}
    columns["n_instructions"] = pa.array(range(first, first + len(sizes)), pa.int32())
    texts = [
        ["x" * (size // 2), "é" * (size // 4), "y" * (size % 4 + size // 2 % 2)] for size in sizes
    ]
    columns["instructions"] = pa.array(
        [[text for text in row if text] for row in texts], pa.list_(pa.string())
    )
    return pa.table(columns, schema=row_schema()).combine_chunks().to_batches(max_chunksize=10**6)


def size_of(row):
    return sum(len(text.encode()) for text in row["instructions"])


@contextmanager
def small_bounds():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shards, "SHARD_ROWS", 6)
        patch.setattr(shards, "SHARD_BYTES", 100)
        patch.setattr(row_groups, "GROUP_ROWS", 3)
        patch.setattr(row_groups, "GROUP_BYTES", 40)
        yield


cuts = st.lists(st.integers(0, 60), max_size=30).flatmap(
    lambda sizes: st.tuples(st.just(sizes), st.sets(st.integers(0, len(sizes))))
)


@settings(deadline=None, max_examples=40)
@given(cuts)
def test_bounds_hold_and_batches_leave_no_trace(tmp_path_factory, cut):
    sizes, places = cut
    edges = sorted({0, len(sizes), *places})
    with small_bounds():
        folder = tmp_path_factory.mktemp("shards")
        pieces = [b for i, j in pairwise(edges) for b in rows(sizes[i:j], first=i)]
        written = write_shards(pieces, folder / "cut")
        whole = write_shards(rows(sizes), folder / "whole")
    assert [s.path.read_bytes() for s in written] == [s.path.read_bytes() for s in whole]
    read = [pq.read_table(shard.path).to_pylist() for shard in written]
    assert [row["n_instructions"] for part in read for row in part] == list(range(len(sizes)))
    assert [(shard.rows, shard.instructions) for shard in written] == [
        (len(part), sum(row["n_instructions"] for row in part)) for part in read
    ]
    for shard, part in zip(written, read, strict=True):
        assert len(part) <= 6
        # A row is never cut: one that is too large has a group, and a shard, of its own.
        file = pq.ParquetFile(shard.path)
        groups = [file.read_row_group(i).to_pylist() for i in range(file.num_row_groups)]
        file.close()
        for group in groups:
            assert len(group) <= 3
            assert len(group) == 1 or sum(map(size_of, group)) <= 40
        assert len(groups) <= 1 or sum(map(size_of, part)) <= 100


def test_sizes_are_the_bytes_of_all_text_also_in_slices():
    (batch,) = rows([0, 5, 17, 40])
    texts = batch.set_column(
        batch.schema.get_field_index("tokens"),
        row_schema().field("tokens"),
        pa.array([[], [["ab", "c"], []], None, [["é"]]], row_schema().field("tokens").type),
    )
    instructions = [size_of(row) for row in batch.to_pylist()]
    assert text_sizes(texts).tolist() == [
        a + b for a, b in zip(instructions, [0, 3, 0, 2], strict=True)
    ]
    assert text_sizes(texts.slice(1, 2)).tolist() == text_sizes(texts).tolist()[1:3]


def test_an_empty_corpus_has_one_readable_shard(tmp_path):
    (shard,) = write_shards([], tmp_path / "shards")
    assert (shard.rows, shard.instructions) == (0, 0)
    assert pq.read_table(shard.path).schema.names == row_schema().names


def test_rows_come_back_with_the_columns_asked_for(tmp_path):
    with small_bounds():
        written = write_shards(rows([9] * 8), tmp_path / "shards")
    files = [shard.path for shard in written]
    assert len(files) > 1
    batches = list(read_batches(files, ["n_instructions"]))
    assert [n for batch in batches for n in batch.column(0).to_pylist()] == list(range(8))
    assert next(read_batches(files)).schema.names == row_schema().names
    # What is in memory at once is bounded by the row groups.
    assert {batch.num_rows for batch in batches} == {2, 3}


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
