"""What others rely on: corpora are read, streamed and resumed by `datasets`, without our code."""

from itertools import islice
from pathlib import Path

import pyarrow as pa
import pytest
from datasets import load_dataset

from ir_pipeline import open_corpus
from ir_pipeline.corpus import shards
from ir_pipeline.corpus.shards import read_batches, write_shards
from ir_pipeline.rows.row import COLUMNS


@pytest.fixture
def files(made, tmp_path, monkeypatch):
    """The shards of a corpus, many small ones with small row groups."""
    monkeypatch.setattr(shards, "SHARD_ROWS", 8)
    monkeypatch.setattr("ir_pipeline.corpus.row_groups.GROUP_ROWS", 3)
    written = write_shards(open_corpus(made).batches(), tmp_path / "shards")
    assert len(written) > 2
    return [str(shard.path) for shard in written]


@pytest.fixture
def rows(made):
    return [row.group + row.view for row in open_corpus(made).all_rows()]


def identities(dataset):
    return [row["group"] + row["view"] for row in dataset]


def test_rows_are_read_from_mapped_memory(files, rows, tmp_path):
    found = load_dataset("parquet", data_files=files, split="train", cache_dir=str(tmp_path))
    assert found.cache_files
    assert tuple(found.column_names) == COLUMNS
    assert identities(found) == rows
    assert found[0]["license"] == "MIT"
    assert found[-1]["tokens"] == found.select([len(found) - 1])["tokens"][0]


@pytest.mark.parametrize("read", [0, 1, 2, 5, 9])
def test_a_stream_goes_on_exactly_where_it_was(files, rows, read):
    def stream():
        return load_dataset("parquet", data_files=files, split="train", streaming=True)

    first = stream()
    begun = identities(islice(first, read))
    state = first.state_dict()
    resumed = stream()
    resumed.load_state_dict(state)
    assert begun + identities(resumed) == rows
    assert identities(stream()) == rows


def test_shards_can_be_dealt_to_readers(files, rows):
    stream = load_dataset("parquet", data_files=files, split="train", streaming=True)
    assert stream.num_shards == len(files)
    dealt = [identities(stream.shard(2, number)) for number in range(2)]
    assert sorted(dealt[0] + dealt[1]) == sorted(rows)


@pytest.mark.slow
def test_more_than_two_gib_of_text_in_a_column(made, tmp_path):
    row = next(open_corpus(made).batches()).slice(0, 1)
    place = row.schema.get_field_index("instructions")
    kind = row.schema.field(place).type
    text = "x" * (33 * 2**20)

    def batches():
        for letter in range(64):
            large = pa.array([[f"{letter}{text}"]], kind)
            yield row.set_column(place, row.schema.field(place), large)

    files = [str(shard.path) for shard in write_shards(batches(), tmp_path / "shards")]
    stream = load_dataset("parquet", data_files=files, split="train", streaming=True)
    lengths = [len(row["instructions"][0]) for row in stream]
    assert sum(lengths) > 2**31
    assert len(lengths) == 64
    assert sum(batch.num_rows for batch in read_batches(map(Path, files))) == 64
