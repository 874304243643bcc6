"""Opens a finished corpus."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ir_pipeline.layout import FORMAT_VERSION, MANIFEST, STAGING
from ir_pipeline.rows import FunctionView
from static_analysis.errors import OscarError


@dataclass(frozen=True)
class Corpus:
    """A finished corpus on disk.

    Attributes:
        path: its folder.
        manifest: the parsed `manifest.json`.
        shards: its Parquet files, in order.
    """

    path: Path
    manifest: dict[str, Any]
    shards: list[Path]

    def rows(self, view: str) -> Iterator[FunctionView]:
        """Yields the rows of one view in the corpus's order, a batch in memory at a time."""
        import pyarrow.compute as pc
        import pyarrow.parquet as pq

        for shard in self.shards:
            with pq.ParquetFile(shard) as file:
                for batch in file.iter_batches(batch_size=256):
                    wanted = batch.filter(pc.equal(batch.column("view"), view))
                    yield from (FunctionView(**row) for row in wanted.to_pylist())


def open_corpus(path: Path) -> Corpus:
    """Checks that `path` is a corpus of this format and that all its shards are there.

    Raises:
        OscarError: it is missing, unfinished, not a corpus, incomplete, or of another format.
    """
    path = Path(path)
    if not path.is_dir():
        raise OscarError(f"{path}: no such corpus folder; make one with 'oscar preprocess'")
    try:
        manifest = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
        version = manifest["format_version"]
        files = [path / str(shard["file"]) for shard in manifest["shards"]]
    except (OSError, ValueError, KeyError, TypeError):
        raise OscarError(_not_a_corpus(path)) from None
    if version != FORMAT_VERSION:
        raise OscarError(
            f"{path}: corpus format {version}, this version of OSCAR reads {FORMAT_VERSION}; "
            "make it again with 'oscar preprocess'"
        )
    missing = next((file for file in files if not file.is_file()), None)
    if missing is not None:
        raise OscarError(f"{missing}: a shard of the corpus is missing; make the corpus again")
    return Corpus(path, manifest, files)


def _not_a_corpus(path: Path) -> str:
    if (path / STAGING).is_dir():
        return f"{path}: unfinished corpus; run the same 'oscar preprocess' again to finish it"
    return f"{path}: not a corpus: no readable {MANIFEST} in it"
