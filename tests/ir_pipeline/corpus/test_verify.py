import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ir_pipeline.corpus.manifest import file_hash
from ir_pipeline.corpus.verify import verify
from static_analysis import OscarError

SHARD = "shards/part-00000.parquet"


def test_a_sound_corpus_has_no_fault(made):
    seen = []
    assert list(verify(made, lambda done, total: seen.append((done, total)))) == []
    assert seen == [(1, 1)]


def test_a_missing_shard_is_one_line_and_its_rows_are_not_missed_again(copy):
    (copy / SHARD).unlink()
    assert list(verify(copy)) == [f"{SHARD}: the shard is missing"]


@pytest.mark.parametrize("place", [0, 5000, -10])
def test_a_flipped_byte_is_found(copy, place):
    content = bytearray((copy / SHARD).read_bytes())
    content[place] ^= 1
    (copy / SHARD).write_bytes(content)
    (fault,) = verify(copy)
    assert fault.startswith(f"{SHARD}: the file was changed or damaged")


def test_a_truncated_shard_is_found_even_if_its_hash_is_right(copy):
    content = (copy / SHARD).read_bytes()
    (copy / SHARD).write_bytes(content[: len(content) // 2])
    (fault,) = verify(copy)
    assert "damaged" in fault
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest["shards"][0]["sha256"] = file_hash(copy / SHARD)
    (copy / "manifest.json").write_text(json.dumps(manifest))
    faults = list(verify(copy))
    assert "cannot be read after row 0" in faults[0]
    assert all("\n" not in fault for fault in faults)


def test_files_that_nobody_names_and_files_that_are_missing(copy):
    (copy / "shards" / "part-00001.parquet").write_bytes(b"")
    (copy / "errors.parquet").unlink()
    assert list(verify(copy)) == [
        "shards/part-00001.parquet: the manifest names no such shard",
        "errors.parquet: the file is missing",
    ]


def test_lost_units_are_those_of_the_manifest(copy):
    errors = pq.read_table(copy / "errors.parquet")
    pq.write_table(errors.slice(0, 0), copy / "errors.parquet")
    (fault,) = verify(copy)
    assert fault == "errors.parquet: 0 units of 'compile error', the manifest says 1"
    (copy / "errors.parquet").write_text("no Parquet")
    (fault,) = verify(copy)
    assert fault.startswith("errors.parquet: cannot be read")


def put(name, value):
    def change(rows):
        rows[0][name] = value(rows[0][name]) if callable(value) else value

    return change


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("environment", lambda entries: entries[:-1], "environment has 4 entries for 5 instr"),
        ("true_positions", lambda entries: [*entries, 0], "true_positions has 6 entries for 5"),
        ("n_instructions", 2, "instructions has 5 entries for 2 instructions"),
        ("own_positions", lambda own: own[::-1], "own_positions do not count up from 0"),
        ("own_positions", lambda own: [0, None, *own[2:]], "own_positions do not count up from 0"),
        ("true_positions", lambda to: [5, *to[1:]], "true_positions lead out of the function"),
        ("false_positions", lambda to: [-4, *to[1:]], "false_positions lead out of the function"),
        ("environment", lambda entries: [[], *entries[1:]], "environment has an empty entry"),
        ("environment", lambda entries: [None, *entries[1:]], "environment has an empty entry"),
        ("tokens", lambda entries: [["nop"], *entries[1:]], "hash is not that of its tokens"),
        ("hash", "0" * 64, "hash is not that of its tokens"),
        ("structure", "?", "structure is no 32 hex digits"),
        ("tokens", None, "tokens is missing"),
        ("view", "O3", "its view is none of the manifest's"),
        ("project", "four", "its project is none of the manifest's"),
    ],
)
def test_each_harm_to_a_row_is_named_with_its_place(rewrite, name, value, said):
    faults = list(verify(rewrite(put(name, value))))
    rows = [fault for fault in faults if f"{SHARD}: row 0 (" in fault]
    assert any(said in fault for fault in rows), faults
    assert all(fault in rows or fault.startswith("manifest.json") for fault in faults)


def test_a_view_that_comes_twice_is_found(rewrite):
    (fault,) = verify(rewrite(put("view", "O1")))
    assert fault == f"{SHARD}: row 1 (a.c: twice, O1): its function has this view already"


def test_a_function_whose_views_do_not_stand_together_is_found(rewrite):
    faults = list(verify(rewrite(lambda rows: [*rows[1:], rows[0]])))
    assert any("its group is that of an earlier function" in fault for fault in faults)


def test_counts_are_checked(rewrite):
    assert list(verify(rewrite(lambda rows: None, functions=99, units=3))) == [
        "manifest.json: counts 99 functions, the shards hold 9",
        "manifest.json: 2 units did not fail, the shards hold 4",
    ]
    faults = list(verify(rewrite(lambda rows: rows[:-1])))
    assert any("rows, the shards hold" in fault for fault in faults)


def test_other_columns_are_named(copy):
    table = pq.read_table(copy / SHARD)
    table = table.drop_columns(["structure"]).append_column("extra", pa.nulls(table.num_rows))
    pq.write_table(table, copy / SHARD)
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest["shards"][0]["sha256"] = file_hash(copy / SHARD)
    (copy / "manifest.json").write_text(json.dumps(manifest))
    fault = next(iter(verify(copy)))
    assert fault == f"{SHARD}: its columns are not those of a corpus: structure, extra"


def test_an_older_corpus_is_refused_in_one_line(copy):
    manifest = json.loads((copy / "manifest.json").read_text())
    (copy / "manifest.json").write_text(json.dumps({**manifest, "format_version": 1}))
    with pytest.raises(OscarError, match=r"corpus of format version 1, .* reads 2; make it again"):
        list(verify(copy))
