"""The storey on real input; skipped where the data sets are not at hand."""

import gzip
from itertools import islice

import pyarrow.parquet as pq
import pytest

from ir_pipeline import build_corpus

pytestmark = pytest.mark.slow


def test_all_of_zlib_but_its_windows_file_gets_all_views(data, tmp_path):
    out = tmp_path / "out"
    counts = build_corpus([data / "projects/zlib-1.2.13.tar.bz2"], out).counts
    errors = pq.read_table(out / "errors.parquet").to_pylist()
    assert [row["unit"] for row in errors] == ["contrib/minizip/iowin32.c"]
    assert "windows.h" in errors[0]["message"]
    columns = ["unit", "function", "view", "source"]
    rows = pq.read_table(out / "shards", columns=columns).to_pylist()
    assert {"inflate.c", "deflate.c", "crc32.c", "trees.c"} <= {row["unit"] for row in rows}
    assert sum(row["source"] is not None for row in rows) > 0.8 * counts.rows


def test_nearly_all_programs_of_poj_104_lower(data, tmp_path):
    some = tmp_path / "some.jsonl"
    with gzip.open(data / "poj104/train.jsonl.gz", "rt") as lines:
        some.write_text("".join(islice(lines, 0, None, 320)))
    counts = build_corpus([some], tmp_path / "out", views=1).counts
    assert counts.units == 100
    assert counts.errors.total() <= 5
    assert set(pq.read_table(tmp_path / "out/shards")["label"].to_pylist()) > {"1", "30", "64"}
