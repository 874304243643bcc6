"""What every row of a corpus has to be, checked on whole batches at a time."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from static_analysis.flow.positions import UNWIND

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

ALIGNED = (
    *("instructions", "tokens", "environment"),
    *("own_positions", "true_positions", "false_positions"),
)
REQUIRED = (
    *("project", "unit", "function", "group", "view", "language", "n_instructions"),
    *(*ALIGNED, "hash", "structure", "repairs"),
)
_ID = re.compile(r"[0-9a-f]{32}")


def row_faults(batch: pa.RecordBatch) -> Iterator[tuple[int, str]]:
    """Yields the rows of a batch that are not as they must be, each with what is wrong.

    A row whose lists have different lengths is not looked at any further.
    """
    import numpy as np

    empty = np.zeros(batch.num_rows, dtype=bool)
    for name in REQUIRED:
        null = np.asarray(batch.column(name).is_null())
        yield from ((row, f"{name} is missing") for row in np.flatnonzero(null & ~empty).tolist())
        empty |= null
    lengths = np.asarray(batch.column("n_instructions").fill_null(-1))
    for name in ALIGNED:
        found = np.asarray(batch.column(name).value_lengths().fill_null(-1))
        for row in np.flatnonzero((found != lengths) & ~empty).tolist():
            yield row, f"{name} has {found[row]} entries for {lengths[row]} instructions"
        empty |= found != lengths
    sound = np.flatnonzero(~empty)
    rest = batch.take(sound)
    for row, what in _deep_faults(rest):
        yield int(sound[row]), what


def _deep_faults(batch: pa.RecordBatch) -> Iterator[tuple[int, str]]:
    """Faults in the entries of rows whose lists have the right lengths."""
    yield from _position_faults(batch)
    for name in ("tokens", "environment"):
        column = batch.column(name)
        bare = _rows_of(column)[_numbers(column.flatten().value_lengths().fill_null(0)) == 0]
        yield from ((row, f"{name} has an empty entry") for row in sorted(set(bare.tolist())))
    rows = zip(_stream_hashes(batch.column("tokens")), _listed(batch, "hash"), strict=True)
    for row, (true, said) in enumerate(rows):
        if true != said:
            yield row, "hash is not that of its tokens"
    for name in ("group", "structure"):
        for row, value in enumerate(_listed(batch, name)):
            if not _ID.fullmatch(value):
                yield row, f"{name} is no 32 hex digits"


def _position_faults(batch: pa.RecordBatch) -> Iterator[tuple[int, str]]:
    import numpy as np

    rows = _rows_of(batch.column("own_positions"))
    lengths = _numbers(batch.column("n_instructions"))
    places = np.arange(len(rows)) - (np.cumsum(lengths) - lengths)[rows]
    # A place that is missing is as wrong as one that is not there.
    nowhere = UNWIND - 1
    own = _numbers(batch.column("own_positions").flatten().fill_null(nowhere))
    yield from ((row, "own_positions do not count up from 0") for row in _once(rows[own != places]))
    for name in ("true_positions", "false_positions"):
        to = _numbers(batch.column(name).flatten().fill_null(nowhere))
        wrong = (to < UNWIND) | (to >= lengths[rows])
        yield from ((row, f"{name} lead out of the function") for row in _once(rows[wrong]))


def _stream_hashes(tokens: pa.Array) -> list[str]:
    """SHA-256 of each stream, as `rows.structure.stream_hash` has it, joined without Python."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    lines = pc.binary_join(tokens.flatten(), " ")
    ends = np.cumsum(_numbers(tokens.value_lengths()))
    offsets = pa.array(np.concatenate([[0], ends]), pa.int32())
    texts = pc.binary_join(pa.ListArray.from_arrays(offsets, lines), "\n")
    return [hashlib.sha256(text.as_buffer() or b"").hexdigest() for text in texts]


def _rows_of(column: pa.Array) -> np.ndarray:
    """For each entry of a column of lists, the row that it is in."""
    import numpy as np

    return np.repeat(np.arange(len(column)), _numbers(column.value_lengths()))


def _numbers(column: Any) -> np.ndarray:
    import numpy as np

    return np.asarray(column, dtype=np.int64)


def _once(rows: np.ndarray) -> list[int]:
    return sorted(set(rows.tolist()))


def _listed(batch: pa.RecordBatch, name: str) -> list[str]:
    values: list[str] = batch.column(name).to_pylist()
    return values
