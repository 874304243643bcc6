"""Keeps finished parts of an unfinished corpus, so that a killed run can continue.

Units are processed in chunks of fixed size. A chunk is two files: its rows, then its record,
which is written last and marks the chunk as finished.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ir_pipeline.atomic import write_atomically
from ir_pipeline.corpus.layout import PLAN, STAGING
from ir_pipeline.corpus.manifest import as_text, read_json
from ir_pipeline.engine.counts import Counts
from ir_pipeline.errors import Failure
from static_analysis.errors import OscarError

if TYPE_CHECKING:
    import pyarrow as pa

# What pyarrow reads at once has to stay below 2 GiB in a column.
_ROW_GROUP = 256


@dataclass(frozen=True)
class Chunk:
    """A finished part of the corpus.

    Attributes:
        counts: of this part.
        failures: of this part, in unit order.
        rows: Parquet file with its rows.
    """

    counts: Counts
    failures: list[Failure]
    rows: Path


class Staging:
    """The folder `.staging` of a corpus; used by one run at a time."""

    def __init__(self, corpus: Path):
        """Names the folder; nothing is created."""
        self.folder = corpus / STAGING
        self._lock: IO[str] | None = None

    def plan(self) -> dict[str, Any] | None:
        """The plan of the run that left this folder, or None."""
        return read_json(self.folder / PLAN)

    def is_empty(self) -> bool:
        """Whether no run has finished a chunk here."""
        return not any(self.folder.glob("chunk-*.json"))

    def open(self, plan: dict[str, Any], *, fresh: bool = False) -> None:
        """Takes hold of the folder for a run with `plan`, keeping chunks of an equal plan.

        Args:
            plan: what the corpus is made from.
            fresh: keep no chunk.

        Raises:
            OscarError: another run holds it.
        """
        self._take()
        if fresh or self.plan() != plan:
            for path in self.folder.glob("chunk-*"):
                path.unlink()
            write_atomically(self.folder / PLAN, as_text(plan).encode())

    def _take(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        lock = self.folder / "lock"
        self._lock = lock.open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # A run that ends deletes its lock; a deleted one locks nothing.
            held = os.path.samestat(os.fstat(self._lock.fileno()), lock.stat())
        except OSError:
            held = False
        if not held:
            self.close()
            raise OscarError(f"{self.folder.parent}: another run is writing there")

    def chunk(self, number: int) -> Chunk | None:
        """A finished chunk, or None where it has still to be made."""
        record = self._path(number, "json")
        if not record.exists():
            return None
        data = json.loads(record.read_text(encoding="utf-8"))
        failures = [Failure(**failure) for failure in data["failures"]]
        return Chunk(Counts.from_json(data["counts"]), failures, self._path(number, "parquet"))

    def write_chunk(
        self, number: int, tables: Sequence[pa.Table], counts: Counts, failures: Sequence[Failure]
    ) -> None:
        """Stores a chunk so that after a crash it is either whole or not there."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        buffer = pa.BufferOutputStream()
        # In small groups: Arrow cannot read back one with more than 2 GiB of text in a column.
        pq.write_table(pa.concat_tables(tables), buffer, compression="zstd", row_group_size=256)
        write_atomically(self._path(number, "parquet"), memoryview(buffer.getvalue()))
        record = {"counts": counts.as_json(), "failures": [asdict(f) for f in failures]}
        write_atomically(self._path(number, "json"), as_text(record).encode())

    def close(self) -> None:
        """Lets another run have the folder."""
        if self._lock is not None:
            self._lock.close()

    def remove(self) -> None:
        """Deletes the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.close()

    def _path(self, number: int, suffix: str) -> Path:
        return self.folder / f"chunk-{number:06d}.{suffix}"
