"""Writes the final files of a corpus from its staged chunks."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from ir_pipeline.corpus.layout import ERRORS, SHARDS
from ir_pipeline.errors import Failure
from ir_pipeline.rows.row import failure_schema, row_schema

if TYPE_CHECKING:
    import pyarrow as pa

# Parquet's string columns hold at most 2 GiB; an instruction takes some 200 bytes of one.
MOST_ROWS = 8192
MOST_INSTRUCTIONS = 1_000_000
_ROW_GROUP = 512


def write_shards(chunks: Iterable[Path], folder: Path) -> list[tuple[Path, int]]:
    """Writes `part-00000.parquet`, … with the rows of `chunks`, in order.

    Args:
        chunks: Parquet files with whole rows.
        folder: new folder for the shards; there is always at least one.

    Returns:
        The shards with their numbers of rows.
    """
    import pyarrow.parquet as pq

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    written = []
    for number, table in enumerate(_shard_tables(chunks)):
        path = folder / f"part-{number:05d}.parquet"
        pq.write_table(table, path, compression="zstd", row_group_size=_ROW_GROUP)
        _sync(path)
        written.append((path, table.num_rows))
    return written


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


def _shard_tables(chunks: Iterable[Path]) -> Iterator[pa.Table]:
    """The rows of all chunks, cut into tables of bounded size."""
    import pyarrow as pa

    parts: list[pa.Table] = []
    rows = instructions = 0
    written = False
    for part, size in _pieces(chunks):
        full = rows + part.num_rows > MOST_ROWS or instructions + size > MOST_INSTRUCTIONS
        if parts and full:
            yield pa.concat_tables(parts).combine_chunks()
            written, parts, rows, instructions = True, [], 0, 0
        parts.append(part)
        rows, instructions = rows + part.num_rows, instructions + size
    if parts or not written:
        yield pa.concat_tables([row_schema().empty_table(), *parts]).combine_chunks()


def _pieces(chunks: Iterable[Path]) -> Iterator[tuple[pa.Table, int]]:
    """Small slices of the chunks, each with its number of instructions."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    for chunk in chunks:
        table = pq.read_table(chunk)
        for start in range(0, table.num_rows, _ROW_GROUP):
            piece = table.slice(start, _ROW_GROUP)
            yield piece, pc.sum(piece["n_instructions"]).as_py()


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
