"""The functions that workers run on a unit.

They import LLVM when they are called, so that it is never loaded outside a worker.
"""

from __future__ import annotations

from dataclasses import dataclass

from ir_pipeline.engine.counts import Counts
from ir_pipeline.engine.work import Settings, UnitResult
from ir_pipeline.errors import Failure
from ir_pipeline.rows.row import row_schema, to_table
from ir_pipeline.sources.units import Unit


@dataclass(frozen=True)
class EncodedUnit:
    """A unit's rows as bytes (an Arrow stream), cheap to hand over between processes."""

    rows: bytes
    counts: Counts


def function_rows(unit: Unit, settings: Settings) -> UnitResult | Failure:
    """A unit's rows as Python objects."""
    from ir_pipeline.engine.unit import process_unit

    return process_unit(unit, settings)


def lowered_text(unit: Unit, settings: Settings) -> str | Failure:
    """A file's normalised IR at the one level that `settings.views` names."""
    from ir_pipeline.engine.unit import lower_file

    return lower_file(unit, settings)


def encoded_unit(unit: Unit, settings: Settings) -> EncodedUnit | Failure:
    """A unit's rows already in Arrow's form."""
    import pyarrow as pa

    result = function_rows(unit, settings)
    if isinstance(result, Failure):
        return result
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, row_schema()) as stream:
        stream.write_table(to_table(result.rows))
    return EncodedUnit(sink.getvalue().to_pybytes(), _counts_of(result))


def _counts_of(result: UnitResult) -> Counts:
    counts = Counts(units=1, rows=len(result.rows))
    counts.functions = len({row.group for row in result.rows})
    counts.instructions = sum(row.n_instructions for row in result.rows)
    counts.dropped.update(result.dropped)
    counts.repairs.update(result.repairs)
    return counts
