import json
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ir_pipeline import build_corpus
from ir_pipeline.corpus.manifest import file_hash

CODE = """
/* SPDX-License-Identifier: MIT */
int twice(int x) { return 2 * x; }
/* Adds up. */
int sum(const int *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += p[i];
    return s;
}
"""


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """A corpus of three projects, 5 units, 3 views, one of the units broken."""
    folder = tmp_path_factory.mktemp("made")
    for name, text in {
        "one/a.c": CODE,
        "one/b.c": CODE.replace("2 *", "3 *").replace("twice", "thrice"),
        "two/c.c": CODE.replace("sum", "total"),
        "two/broken.c": "int f( {",
        "three/d.cpp": CODE + "int more(int x) { switch (x) { case 1: return 2; } return x; }",
    }.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    sources = [folder / name for name in ("one", "two", "three")]
    build_corpus(sources, folder / "corpus", views=("O0", "O1", "random-0"), workers=1)
    return folder / "corpus"


@pytest.fixture
def copy(made, tmp_path):
    """A copy of it that a test may harm."""
    return shutil.copytree(made, tmp_path / "copy")


@pytest.fixture
def rewrite(copy):
    """Writes other rows in place of a corpus's own, with a manifest that has their hash."""

    def write(change, **counts):
        shard = copy / "shards" / "part-00000.parquet"
        table = pq.read_table(shard)
        rows = table.to_pylist()
        changed = change(rows)
        table = pa.Table.from_pylist(rows if changed is None else changed, schema=table.schema)
        pq.write_table(table, shard)
        manifest = json.loads((copy / "manifest.json").read_text())
        manifest["shards"][0] |= {"sha256": file_hash(shard), "rows": table.num_rows}
        manifest["counts"] |= counts
        (copy / "manifest.json").write_text(json.dumps(manifest))
        return copy

    return write
