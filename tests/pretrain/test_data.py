import json
from dataclasses import replace

import pytest

from ir_pipeline import open_corpus
from oscar.config import OscarConfig
from oscar.tokenizer import OscarTokenizer
from pretrain.classes import function_classes
from pretrain.data import corpus_id, encode_corpus
from static_analysis import OscarError


@pytest.fixture(scope="module")
def tokenizer(corpus):
    return OscarTokenizer.train(corpus)


def shape_of(max_instructions: int, max_tokens: int = 100) -> OscarConfig:
    return OscarConfig.preset("tiny", max_instructions=max_instructions, max_tokens=max_tokens)


def rows_of(corpus):
    import pyarrow.parquet as pq

    return [row for shard in open_corpus(corpus).shards for row in pq.read_table(shard).to_pylist()]


def test_every_row_comes_back_as_the_tokenizer_encodes_it(corpus, tokenizer, tmp_path):
    encoded = encode_corpus(corpus, tokenizer, tmp_path, shortest=1, shape=shape_of(500))
    rows = rows_of(corpus)
    assert len(encoded) == len(rows) == encoded.counts.rows
    assert [encoded[i] for i in range(len(rows))] == [tokenizer.encode(row) for row in rows]
    names = [row["group"] for row in rows]
    assert encoded.counts.groups == len(set(names)) == 8
    pairs = set(zip(names, encoded.groups.tolist(), strict=True))
    assert len(pairs) == 8
    assert sorted(number for _, number in pairs) == list(range(8))
    classes = function_classes(corpus)
    assert encoded.classes.tolist() == [classes[name] for name in names]


def test_short_views_are_left_out_and_long_ones_cut_and_both_counted(corpus, tokenizer, tmp_path):
    lengths = [row["n_instructions"] for row in rows_of(corpus)]
    encoded = encode_corpus(corpus, tokenizer, tmp_path, shortest=12, shape=shape_of(20))
    assert encoded.counts.short == sum(n < 12 for n in lengths) > 0
    assert encoded.counts.views_cut == sum(n > 20 for n in lengths) > 0
    assert encoded.counts.instructions_cut == sum(n - 20 for n in lengths if n > 20)
    kept = [len(encoded[i].positions) for i in range(len(encoded))]
    assert kept == [min(n, 20) for n in lengths if n >= 12]


def test_long_entries_are_cut_and_their_tokens_counted(corpus, tokenizer, tmp_path):
    shape = shape_of(20, max_tokens=9)
    encoded = encode_corpus(corpus, tokenizer, tmp_path, shortest=1, shape=shape)
    lost = 0
    for i, row in enumerate(rows_of(corpus)):
        whole, view = tokenizer.encode(row), encoded[i]
        for all_of, kept in (
            (whole.instruction, view.instruction),
            (whole.environment, view.environment),
        ):
            assert kept == [entry[:9] for entry in all_of[:20]]
            lost += sum(max(0, len(entry) - 9) for entry in all_of[:20])
    assert encoded.counts.tokens_cut == lost > 0
    limits = replace(shape, max_tokens=64)
    again = encode_corpus(corpus, tokenizer, tmp_path, shortest=1, shape=limits)
    assert again.counts.tokens_cut < lost


def test_a_second_call_opens_what_the_first_wrote(corpus, tokenizer, tmp_path):
    first = encode_corpus(corpus, tokenizer, tmp_path, shortest=1, shape=shape_of(500))
    written = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    again = encode_corpus(corpus, tokenizer, tmp_path, shortest=1, shape=shape_of(500))
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == written
    assert again[3] == first[3]
    encode_corpus(corpus, tokenizer, tmp_path, shortest=12, shape=shape_of(500))
    assert len(list(tmp_path.iterdir())) == 2


def test_an_unfinished_folder_is_not_mistaken_for_a_finished_one(corpus, tokenizer, tmp_path):
    first = encode_corpus(corpus, tokenizer, tmp_path, shortest=1, shape=shape_of(500))[0]
    (folder,) = tmp_path.iterdir()
    unfinished = folder.rename(folder.with_suffix(".incoming"))
    (unfinished / "rows.arrow").write_bytes(b"half")
    assert encode_corpus(corpus, tokenizer, tmp_path, shortest=1, shape=shape_of(500))[0] == first
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]


def test_the_identity_of_a_corpus_is_its_content(corpus, tmp_path):
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(corpus, copy)
    assert corpus_id(copy) == corpus_id(corpus)
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest["shards"][0]["sha256"] = "0" * 64
    (copy / "manifest.json").write_text(json.dumps(manifest))
    assert corpus_id(copy) != corpus_id(corpus)


def test_a_missing_corpus_is_refused(tmp_path):
    with pytest.raises(OscarError, match="no such corpus"):
        corpus_id(tmp_path / "nothing")
