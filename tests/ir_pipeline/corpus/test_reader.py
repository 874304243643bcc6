import json
import shutil

import pyarrow.parquet as pq
import pytest

from ir_pipeline import build_corpus, is_corpus, open_corpus
from ir_pipeline.rows.row import COLUMNS
from static_analysis import OscarError


def refused(path, match):
    with pytest.raises(OscarError, match=match) as caught:
        open_corpus(path)
    assert "\n" not in str(caught.value)


def test_a_corpus_opens_with_manifest_and_shards(corpus):
    opened = open_corpus(corpus)
    assert opened.manifest["format_version"] == 2
    assert [tuple(pq.read_schema(shard).names) for shard in opened.shards] == [COLUMNS]


def test_what_is_no_corpus_is_refused(tmp_path):
    refused(tmp_path / "missing", "no such corpus folder")
    refused(tmp_path, "not a corpus")
    (tmp_path / ".staging").mkdir()
    refused(tmp_path, "unfinished corpus")
    for text in ("", "[]", "{}", '{"format_version": "1"}', "[" * 100_000):
        (tmp_path / "manifest.json").write_text(text)
        (tmp_path / ".staging").rename(tmp_path / "x") if (tmp_path / ".staging").exists() else None
        refused(tmp_path, "not a corpus")


@pytest.fixture
def copy(corpus, tmp_path):
    return shutil.copytree(corpus, tmp_path / "copy")


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"format_version": 99}, "format version 99.* --force"),
        ({"format_version": 1}, "format version 1, .* reads 2; make it again .* --force"),
        ({"environment_version": "env-0"}, "environment version env-0.* --force"),
        ({"environment_version": None}, "environment version None"),
        ({"shards": None}, "not a corpus"),
        ({"options": {}}, "not a corpus"),
    ],
)
def test_corpora_of_other_versions_are_refused(copy, change, match):
    manifest = json.loads((copy / "manifest.json").read_text())
    (copy / "manifest.json").write_text(json.dumps({**manifest, **change}))
    refused(copy, match)


@pytest.mark.parametrize("left", [0, 10, 0.5])
def test_a_damaged_shard_is_one_clear_line(copy, left):
    shard = open_corpus(copy).shards[0]
    whole = shard.read_bytes()
    shard.write_bytes(whole[: int(left * len(whole)) if left < 1 else left])
    with pytest.raises(
        OscarError, match=r"part-00000.parquet: cannot be read: .* --force"
    ) as caught:
        list(open_corpus(copy).all_rows())
    assert "\n" not in str(caught.value)


def test_a_missing_shard_is_refused(copy):
    shutil.rmtree(copy / "shards")
    refused(copy, "a shard of the corpus is missing; .* --force")


def test_a_corpus_is_told_from_other_folders(corpus, tmp_path):
    assert is_corpus(corpus)
    assert not is_corpus(tmp_path / "missing")
    assert not is_corpus(tmp_path)
    (tmp_path / "manifest.json").write_text('{"name": "a web page"}')
    assert not is_corpus(tmp_path)
    (tmp_path / ".staging").mkdir()
    (tmp_path / ".staging" / "plan.json").write_text('{"format_version": 1}')
    assert is_corpus(tmp_path)


def test_only_the_first_view_is_complete(loops_file, tmp_path):
    build_corpus([loops_file], tmp_path / "out", views=("O0", "O2"), workers=1)
    opened = open_corpus(tmp_path / "out")
    assert opened.views == ["O0", "O2"]
    assert [row.function for row in opened.rows("O0")] == ["twice", "power", "digits"]
    for view in ("O2", "O3"):
        with pytest.raises(OscarError, match=f"no complete {view}, only O0: embed its sources"):
            opened.rows(view)


def test_chosen_columns_are_read_batch_by_batch_in_order(corpus):
    opened = open_corpus(corpus)
    rows = list(opened.all_rows())
    batches = list(opened.batches(["function", "view"]))
    assert [batch.schema.names for batch in batches] == [["function", "view"]] * len(batches)
    read = [(row["function"], row["view"]) for batch in batches for row in batch.to_pylist()]
    assert read == [(row.function, row.view) for row in rows]
    assert len({row.view for row in rows}) > 1
