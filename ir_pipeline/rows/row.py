"""The corpus row: one view of one function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class FunctionView:
    """One function in one view; the fields are the corpus columns, in order.

    The lists `instructions`, `tokens`, `environment` and the three of positions have one entry
    per instruction.

    Attributes:
        project: what the unit belongs to.
        unit: the unit's name in the project.
        function: symbol in the IR.
        group: the same for all views of one function, and for no other function of the corpus.
        view: `O0`, `O1`, `O2`, `O3` or `random-N`.
        label: class of the program, where the source has one.
        language: `c`, `c++` or `llvm-ir`.
        standard: of the language, as in `-std`: `gnu17`, `c++98`; None for `llvm-ir`.
        license: SPDX expression, from the unit's file or the project's licence files.
        n_instructions: number of instructions.
        instructions: text of each instruction.
        tokens: instruction stream.
        environment: environment stream.
        own_positions: position of each instruction.
        true_positions: where control goes next, or if the condition holds.
        false_positions: where control goes if the condition does not hold.
        source: the definition as written, where it was found.
        doc: the comment directly above the definition.
        hash: SHA-256 of the instruction stream, as hex digits.
        structure: the same for functions that differ in names only; see `structure_hashes`.
        repairs: what was changed in the program to make it compile.
    """

    project: str
    unit: str
    function: str
    group: str
    view: str
    label: str | None
    language: str
    standard: str | None
    license: str | None
    n_instructions: int
    instructions: list[str]
    tokens: list[list[str]]
    environment: list[list[str]]
    own_positions: list[int]
    true_positions: list[int]
    false_positions: list[int]
    source: str | None
    doc: str | None
    hash: str
    structure: str
    repairs: list[str]


COLUMNS = tuple(field.name for field in fields(FunctionView))
_PIECE = 256


@lru_cache
def row_schema() -> pa.Schema:
    """Arrow types of the columns."""
    import pyarrow as pa

    lists = {
        "instructions": pa.list_(pa.string()),
        "tokens": pa.list_(pa.list_(pa.string())),
        "environment": pa.list_(pa.list_(pa.string())),
        "own_positions": pa.list_(pa.int32()),
        "true_positions": pa.list_(pa.int32()),
        "false_positions": pa.list_(pa.int32()),
        "n_instructions": pa.int32(),
        "repairs": pa.list_(pa.string()),
    }
    return pa.schema([(name, lists.get(name, pa.string())) for name in COLUMNS])


@lru_cache
def failure_schema() -> pa.Schema:
    """Arrow types of `errors.parquet`."""
    import pyarrow as pa

    return pa.schema([(name, pa.string()) for name in ("unit", "stage", "reason", "message")])


def to_table(rows: Sequence[FunctionView]) -> pa.Table:
    """The rows as an Arrow table, in pieces, as a column in one piece holds 2 GiB at most."""
    import pyarrow as pa

    pieces = [
        pa.RecordBatch.from_pydict(
            {name: [getattr(row, name) for row in rows[at : at + _PIECE]] for name in COLUMNS},
            schema=row_schema(),
        )
        for at in range(0, len(rows), _PIECE)
    ]
    return pa.Table.from_batches(pieces, schema=row_schema())
