"""Turns the staged chunks of a corpus into its final files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ir_pipeline.atomic import write_atomically
from ir_pipeline.corpus.duplicates import Duplicates, columns_for, find_duplicates
from ir_pipeline.corpus.layout import ERRORS, MANIFEST, SHARDS
from ir_pipeline.corpus.manifest import manifest
from ir_pipeline.corpus.shards import Shard, publish, read_batches, write_errors, write_shards
from ir_pipeline.corpus.staging import Chunk, Staging
from ir_pipeline.engine.counts import Counts


def finish(out: Path, made_by: dict[str, Any], staging: Staging, chunks: Sequence[Chunk]) -> Counts:
    """Writes shards, errors and, last, the manifest, which makes `out` a corpus.

    Only now are all functions known, so only now are copies left out.

    Args:
        out: folder of the corpus.
        made_by: the plan.
        staging: of the same plan; removed at the end.
        chunks: all of them, in order.

    Returns:
        The counts of the finished corpus.
    """
    counts = Counts()
    for chunk in chunks:
        counts.add(chunk.counts)
    files = [chunk.rows for chunk in chunks]
    copies = _duplicates(files, made_by["options"]["dedup"])
    kept = (copies.without(batch) for batch in read_batches(files))
    shards = write_shards(kept, staging.folder / SHARDS)
    _count_written(counts, shards, copies)
    text = manifest(made_by, counts, shards)
    failures = [failure for chunk in chunks for failure in chunk.failures]
    write_errors(failures, staging.folder / ERRORS)
    publish(staging.folder, out)
    write_atomically(out / MANIFEST, text.encode())
    staging.remove()
    return counts


def _duplicates(files: Sequence[Path], level: str) -> Duplicates:
    if level == "none":
        return Duplicates()
    return find_duplicates(read_batches(files, columns_for(level)), level)


def _count_written(counts: Counts, shards: Sequence[Shard], copies: Duplicates) -> None:
    counts.functions -= len(copies.groups)
    counts.rows = sum(shard.rows for shard in shards)
    counts.instructions = sum(shard.instructions for shard in shards)
    counts.dropped += copies.reasons
