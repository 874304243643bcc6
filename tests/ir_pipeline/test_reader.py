import json
import shutil

import pyarrow.parquet as pq
import pytest

from ir_pipeline import open_corpus
from ir_pipeline.rows import COLUMNS
from static_analysis import OscarError


def refused(path, match):
    with pytest.raises(OscarError, match=match) as caught:
        open_corpus(path)
    assert "\n" not in str(caught.value)


def test_a_corpus_opens_with_manifest_and_shards(corpus):
    opened = open_corpus(corpus)
    assert opened.manifest["format_version"] == 1
    assert [tuple(pq.read_schema(shard).names) for shard in opened.shards] == [COLUMNS]


def test_what_is_no_corpus_is_refused(tmp_path):
    refused(tmp_path / "missing", "no such corpus folder")
    refused(tmp_path, "not a corpus")
    (tmp_path / ".staging").mkdir()
    refused(tmp_path, "unfinished corpus")
    for text in ("", "[]", '{"format_version": 1}'):
        (tmp_path / "manifest.json").write_text(text)
        (tmp_path / ".staging").rename(tmp_path / "x") if (tmp_path / ".staging").exists() else None
        refused(tmp_path, "not a corpus")


def test_another_format_or_a_missing_shard_is_refused(corpus, tmp_path):
    copy = shutil.copytree(corpus, tmp_path / "copy")
    manifest = json.loads((copy / "manifest.json").read_text())
    (copy / "manifest.json").write_text(json.dumps({**manifest, "format_version": 99}))
    refused(copy, "corpus format 99")
    (copy / "manifest.json").write_text(json.dumps(manifest))
    shutil.rmtree(copy / "shards")
    refused(copy, "a shard of the corpus is missing")
