"""Runs an engine over the units and stages the results in chunks of fixed size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING

from ir_pipeline.corpus.staging import Chunk, Staging
from ir_pipeline.engine.counts import Counts
from ir_pipeline.engine.engines import Engine
from ir_pipeline.engine.tasks import EncodedUnit, encoded_unit
from ir_pipeline.engine.work import Settings
from ir_pipeline.errors import Failure
from ir_pipeline.rows.row import row_schema
from ir_pipeline.sources.units import Unit

if TYPE_CHECKING:
    import pyarrow as pa

UNITS_PER_CHUNK = 64
Progress = Callable[[Counts, int], None]


def make_chunks(
    units: Sequence[Unit],
    settings: Settings,
    staging: Staging,
    engine: Engine,
    progress: Progress | None = None,
) -> list[Chunk]:
    """Makes the chunks that `staging` lacks.

    Args:
        units: all units of the corpus.
        settings: for the workers.
        staging: opened; holds the chunks.
        engine: does the work.
        progress: called with the counts so far and the number of units in all.

    Returns:
        All chunks, in order.
    """
    numbers = range((len(units) + UNITS_PER_CHUNK - 1) // UNITS_PER_CHUNK)
    parts = [units[n * UNITS_PER_CHUNK : (n + 1) * UNITS_PER_CHUNK] for n in numbers]
    staged = [staging.chunk(n) for n in numbers]
    total = Counts()
    for chunk in staged:
        total.add(chunk.counts if chunk else Counts())
    missing = [n for n in numbers if staged[n] is None]
    todo = [unit for n in missing for unit in parts[n]]
    with closing(engine(encoded_unit, todo, settings)) as results:
        for n in missing:
            tables, failures, counts = [row_schema().empty_table()], [], Counts()
            for _, result in islice(results, len(parts[n])):
                table, one = _taken(result)
                tables.append(table)
                failures += [result] if isinstance(result, Failure) else []
                counts.add(one)
                total.add(one)
                if progress is not None:
                    progress(total, len(units))
            staging.write_chunk(n, tables, counts, failures)
    return [chunk for n in numbers if (chunk := staging.chunk(n)) is not None]


def _taken(result: EncodedUnit | Failure) -> tuple[pa.Table, Counts]:
    import pyarrow as pa

    if isinstance(result, Failure):
        counts = Counts(units=1)
        counts.errors[result.reason] += 1
        return row_schema().empty_table(), counts
    return pa.ipc.open_stream(result.rows).read_all(), result.counts
