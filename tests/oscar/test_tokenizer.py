import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tokenizers import Tokenizer

from oscar.tokenizer import FILES, MASK, PAD, UNK, OscarTokenizer, count_tokens
from static_analysis.errors import OscarError


def test_a_function_comes_back_entry_by_entry(tokenizer, rows):
    for row in rows:
        encoded = tokenizer.encode(row)
        assert [tokenizer.instruction.decode(ids) for ids in encoded.instruction.lists()] == row[
            "tokens"
        ]
        entries = [tokenizer.environment.decode(ids) for ids in encoded.environment.lists()]
        assert entries == row["environment"]
        assert encoded.positions[:, 0].tolist() == row["own_positions"]


def test_special_ids_and_their_absence_from_decoded_tokens(tokenizer):
    assert (PAD, UNK, MASK) == (0, 1, 2)
    ids = [PAD, *tokenizer.instruction.encode(["add"]), MASK, UNK]
    assert tokenizer.instruction.decode(ids) == ["add"]


def test_characters_outside_ascii_are_unknown_not_an_error(tokenizer):
    assert tokenizer.instruction.encode(["ä"]).count(UNK) == 1


def test_saved_and_loaded_is_the_same(tokenizer, rows, tmp_path):
    tokenizer.save(tmp_path)
    loaded = OscarTokenizer.load(tmp_path)
    assert loaded.hash == tokenizer.hash
    assert loaded.encode(rows[0]) == tokenizer.encode(rows[0])
    assert loaded.config_fields() == tokenizer.config_fields()
    loaded.save(tmp_path / "again")
    for name in FILES.values():
        assert (tmp_path / name).read_bytes() == (tmp_path / "again" / name).read_bytes()
        assert Tokenizer.from_file(str(tmp_path / name)).token_to_id("<mask>") == MASK


def test_hash_tells_vocabularies_apart(tokenizer, counts):
    other = OscarTokenizer.from_counts(counts[0], {**counts[1], "new": 1})
    assert other.hash != tokenizer.hash


def test_the_cache_can_overflow(tokenizer, rows, monkeypatch):
    expected = tokenizer.encode(rows[0])
    monkeypatch.setattr("oscar.tokenizer.CACHE_LIMIT", 3)
    assert tokenizer.encode(rows[0]) == expected


def test_shards_are_counted_token_by_token(rows, counts, tmp_path):
    table = pa.Table.from_pylist(
        [{name: row[name] for name in ("tokens", "environment")} for row in rows]
    )
    shards = [tmp_path / "part-00000.parquet", tmp_path / "part-00001.parquet"]
    pq.write_table(table.slice(0, 3), shards[0])
    pq.write_table(table.slice(3), shards[1])
    assert list(count_tokens(shards).values()) == counts


@pytest.mark.parametrize("name", FILES.values())
def test_missing_and_damaged_files_are_refused(tokenizer, tmp_path, name):
    tokenizer.save(tmp_path)
    (tmp_path / name).write_text(json.dumps({"model": "none"}))
    with pytest.raises(OscarError, match=f"{name} is not a tokenizer"):
        OscarTokenizer.load(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(OscarError, match=f"no {name} in .*: give the folder of a trained model"):
        OscarTokenizer.load(tmp_path)


def test_training_on_a_corpus_is_the_same_twice(corpus):
    first, second = OscarTokenizer.train(corpus), OscarTokenizer.train(corpus)
    assert first.hash == second.hash
    assert len(first.instruction.encode(["ret"])) == 1


def test_training_needs_a_corpus(tmp_path):
    with pytest.raises(OscarError):
        OscarTokenizer.train(tmp_path)
