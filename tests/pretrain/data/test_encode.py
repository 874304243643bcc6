import json
import shutil
from dataclasses import replace

import numpy as np
import pyarrow.parquet as pq
import pytest

from ir_pipeline import open_corpus
from oscar.config import OscarConfig
from oscar.tokenizer import OscarTokenizer
from pretrain.data import encode
from pretrain.data.classes import function_classes
from pretrain.data.encode import encode_corpus


@pytest.fixture(scope="module")
def tokenizer(corpus):
    return OscarTokenizer.train(corpus)


def shape_of(max_instructions: int, max_tokens: int = 100) -> OscarConfig:
    return OscarConfig.preset("tiny", max_instructions=max_instructions, max_tokens=max_tokens)


def rows_of(corpus):
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
    assert encoded.sizes.tolist() == [tokenizer.encode(row).size for row in rows]


def test_short_views_are_left_out_and_long_ones_cut_and_both_counted(corpus, tokenizer, tmp_path):
    lengths = [row["n_instructions"] for row in rows_of(corpus)]
    encoded = encode_corpus(corpus, tokenizer, tmp_path, shortest=12, shape=shape_of(20))
    assert encoded.counts.short == sum(n < 12 for n in lengths) > 0
    assert encoded.counts.views_cut == sum(n > 20 for n in lengths) > 0
    assert encoded.counts.instructions_cut == sum(n - 20 for n in lengths if n > 20)
    kept = [len(encoded[i]) for i in range(len(encoded))]
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
            entries = all_of.lists()[:20]
            assert kept.lists() == [entry[:9] for entry in entries]
            lost += sum(max(0, len(entry) - 9) for entry in entries)
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
    part = unfinished / "part-00000.arrow"
    part.unlink()  # the earlier corpus still reads it
    part.write_bytes(b"half")
    assert encode_corpus(corpus, tokenizer, tmp_path, shortest=1, shape=shape_of(500))[0] == first
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]


@pytest.mark.slow
def test_shards_encoded_in_other_processes_are_the_same_as_one_after_the_other(
    corpus, tokenizer, tmp_path, monkeypatch
):
    shards = split_corpus(corpus, tmp_path / "split", rows=3)
    assert len(open_corpus(shards).shards) == 6
    options = {"shortest": 12, "shape": shape_of(20)}
    read = []
    for processors in ({0}, {0, 1}):
        monkeypatch.setattr(encode.os, "sched_getaffinity", lambda _, found=processors: found)
        folder = tmp_path / str(len(processors))
        read.append(encode_corpus(shards, tokenizer, folder, **options))
        files = [path for path in folder.rglob("*") if path.is_file()]
        read.append({path.name: path.read_bytes() for path in files})
    assert read[1] == read[3]
    whole = encode_corpus(corpus, tokenizer, tmp_path / "whole", **options)
    assert read[0].counts == whole.counts
    assert [read[0][i] for i in range(len(whole))] == [whole[i] for i in range(len(whole))]
    for name in ("groups", "classes", "sizes"):
        assert np.array_equal(getattr(read[0], name), getattr(whole, name))


def split_corpus(corpus, target, rows: int):
    """The corpus in shards of so many rows."""
    shutil.copytree(corpus, target)
    manifest = json.loads((target / "manifest.json").read_text())
    (shard,) = open_corpus(target).shards
    table = pq.read_table(shard)
    shard.unlink()
    manifest["shards"] = []
    for number, start in enumerate(range(0, len(table), rows)):
        part = shard.with_name(f"part-{number:05}.parquet")
        pq.write_table(table.slice(start, rows), part)
        facts = {"file": f"shards/{part.name}", "rows": rows, "sha256": str(number)}
        manifest["shards"].append(facts)
    (target / "manifest.json").write_text(json.dumps(manifest))
    return target
