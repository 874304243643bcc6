"""Cuts rows into Parquet row groups of bounded size, however they came in.

A reader holds a row group in memory, and a column of it may have at most 2 GiB of text, beyond
which Arrow cannot read it back. With some MiB a group that is far away, so plain strings do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

GROUP_ROWS = 512
GROUP_BYTES = 32 * 2**20
_TEXTS = ("instructions", "tokens", "environment", "source", "doc")


class RowGroups:
    """Gathers rows until the next one would make a group too large.

    Where a group ends depends on the rows alone, not on the batches that they come in.
    """

    def __init__(self) -> None:
        """Starts with no rows."""
        self._waiting: list[pa.RecordBatch] = []
        self._rows = self._bytes = 0

    def add(self, batch: pa.RecordBatch) -> list[tuple[pa.Table, int]]:
        """Takes rows in.

        Returns:
            The groups that are full now, each with the bytes of its text.
        """
        full = []
        start = 0
        for at, size in enumerate(text_sizes(batch).tolist()):
            if self._rows and (self._rows == GROUP_ROWS or self._bytes + size > GROUP_BYTES):
                self._waiting.append(batch.slice(start, at - start))
                full.append(self._taken())
                start = at
            self._rows, self._bytes = self._rows + 1, self._bytes + size
        self._waiting.append(batch.slice(start))
        return full

    def rest(self) -> list[tuple[pa.Table, int]]:
        """The last group, if there is one."""
        return [self._taken()] if self._rows else []

    def _taken(self) -> tuple[pa.Table, int]:
        import pyarrow as pa

        # In one piece, because Parquet's pages would show where the pieces were joined.
        group = pa.Table.from_batches(self._waiting).combine_chunks(), self._bytes
        self._waiting, self._rows, self._bytes = [], 0, 0
        return group


def text_sizes(batch: pa.RecordBatch) -> np.ndarray:
    """Bytes of text in each row, (rows,) int64."""
    import numpy as np

    sizes = np.zeros(batch.num_rows, dtype=np.int64)
    for name in _TEXTS:
        sizes += _sizes(batch.column(name))
    return sizes


def _sizes(column: pa.Array) -> np.ndarray:
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_list(column.type):
        return np.asarray(pc.fill_null(pc.binary_length(column), 0), dtype=np.int64)
    lengths = np.asarray(pc.fill_null(pc.list_value_length(column), 0), dtype=np.int64)
    sums = np.concatenate([np.zeros(1, np.int64), np.cumsum(_sizes(column.flatten()))])
    ends = np.cumsum(lengths)
    sizes: np.ndarray = sums[ends] - sums[ends - lengths]
    return sizes
