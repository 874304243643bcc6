"""Writes the final files of a corpus: shards and errors."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ir_pipeline.corpus.layout import ERRORS, SHARDS
from ir_pipeline.corpus.row_groups import RowGroups
from ir_pipeline.errors import Failure
from ir_pipeline.rows.row import failure_schema, row_schema

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

SHARD_ROWS = 8192
SHARD_BYTES = 256 * 2**20
_ROWS_AT_ONCE = 256


@dataclass(frozen=True)
class Shard:
    """A written shard.

    Attributes:
        path: the Parquet file.
        rows: how many it holds.
        instructions: of all its rows.
    """

    path: Path
    rows: int
    instructions: int


class ShardWriter:
    """Writes `part-00000.parquet`, … of bounded size, with row groups of bounded size.

    The bytes depend on the rows and their order alone. There is always at least one shard.
    """

    def __init__(self, folder: Path):
        """Makes the folder anew.

        Args:
            folder: of the shards.
        """
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self._folder = folder
        self._groups = RowGroups()
        self._file: pq.ParquetWriter | None = None
        self._rows = self._bytes = self._instructions = 0
        self.shards: list[Shard] = []

    def write(self, batch: pa.RecordBatch) -> None:
        """Appends rows."""
        for group in self._groups.add(batch):
            self._write_group(*group)

    def close(self) -> None:
        """Writes what is left; after that, `shards` are all."""
        for group in self._groups.rest():
            self._write_group(*group)
        if self._file is not None or not self.shards:
            self._finish_shard()

    def _write_group(self, group: pa.Table, size: int) -> None:
        import pyarrow.compute as pc

        full = self._rows + group.num_rows > SHARD_ROWS or self._bytes + size > SHARD_BYTES
        if self._rows and full:
            self._finish_shard()
        self._opened().write_table(group, row_group_size=group.num_rows)
        self._rows, self._bytes = self._rows + group.num_rows, self._bytes + size
        self._instructions += pc.sum(group["n_instructions"]).as_py()

    def _opened(self) -> pq.ParquetWriter:
        import pyarrow.parquet as pq

        if self._file is None:
            self._file = pq.ParquetWriter(self._path, row_schema(), compression="zstd")
        return self._file

    def _finish_shard(self) -> None:
        self._opened().close()
        _sync(self._path)
        self.shards.append(Shard(self._path, self._rows, self._instructions))
        self._file, self._rows, self._bytes, self._instructions = None, 0, 0, 0

    @property
    def _path(self) -> Path:
        return self._folder / f"part-{len(self.shards):05d}.parquet"


def write_shards(batches: Iterable[pa.RecordBatch], folder: Path) -> list[Shard]:
    """Writes all rows of `batches`, in order, to a new folder of shards."""
    with closing(ShardWriter(folder)) as writer:
        for batch in batches:
            writer.write(batch)
    return writer.shards


def read_batches(
    files: Iterable[Path], columns: Sequence[str] | None = None
) -> Iterator[pa.RecordBatch]:
    """Yields the rows of Parquet files in order, some hundred at a time; `columns`, or all."""
    import pyarrow.parquet as pq

    for path in files:
        with pq.ParquetFile(path) as file:
            # Group by group: a batch may else gather rows of many, each as large as a group may be.
            for group in range(file.num_row_groups):
                yield from file.iter_batches(
                    _ROWS_AT_ONCE, row_groups=[group], columns=columns and list(columns)
                )


def write_errors(failures: Sequence[Failure], path: Path) -> None:
    """Writes `errors.parquet`, one row per lost unit."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [asdict(failure) for failure in failures]
    pq.write_table(pa.Table.from_pylist(rows, schema=failure_schema()), path, compression="zstd")
    _sync(path)


def read_errors(path: Path) -> list[Failure]:
    """Reads what `write_errors` wrote."""
    import pyarrow.parquet as pq

    return [Failure(**row) for row in pq.read_table(path).to_pylist()]


def publish(staged: Path, corpus: Path) -> None:
    """Moves the finished shards and errors from `staged` into the corpus folder."""
    shutil.rmtree(corpus / SHARDS, ignore_errors=True)
    os.replace(staged / SHARDS, corpus / SHARDS)
    os.replace(staged / ERRORS, corpus / ERRORS)


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
