"""Checks that a corpus is what its manifest says, and its rows what every row has to be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ir_pipeline.corpus.layout import ERRORS, SHARDS
from ir_pipeline.corpus.manifest import file_hash
from ir_pipeline.corpus.reader import Corpus, read_corpus
from ir_pipeline.corpus.row_checks import row_faults
from ir_pipeline.corpus.shards import read_batches, read_errors
from ir_pipeline.errors import one_line
from ir_pipeline.rows.row import row_schema
from ir_pipeline.sources.units import printable

if TYPE_CHECKING:
    import pyarrow as pa

_KEYS = ("project", "unit", "group", "view", "function", "n_instructions")


@dataclass
class _Totals:
    """What was counted in the rows so far."""

    counts: Counter[str] = field(default_factory=Counter)
    groups: set[bytes] = field(default_factory=set)
    group: str = ""
    views: set[str] = field(default_factory=set)
    unit: tuple[str, str] | None = None


def verify(path: Path, progress: Callable[[int, int], None] | None = None) -> Iterator[str]:
    """Yields a line for each fault of a corpus; nothing for a sound one.

    Only a batch of rows and a short hash of each function are held in memory.

    Args:
        path: folder of a corpus.
        progress: called with the number of shards checked and of all.

    Raises:
        OscarError: it is no finished corpus of this format and encoding.
    """
    corpus = read_corpus(path)
    totals, whole = _Totals(), True
    for number, (shard, said) in enumerate(
        zip(corpus.shards, corpus.manifest["shards"], strict=True)
    ):
        fault = _file_fault(shard, said)
        if fault is None:
            yield from _shard_faults(corpus, shard, said, totals)
        else:
            whole = False
            yield f"{said['file']}: {fault}"
        if progress is not None:
            progress(number + 1, len(corpus.shards))
    yield from _foreign_files(corpus)
    yield from _error_faults(corpus)
    if whole:
        # Where a shard is lost, its rows are missing from every count.
        yield from _count_faults(corpus.manifest["counts"], totals)


def _file_fault(shard: Path, said: dict[str, Any]) -> str | None:
    if not shard.is_file():
        return "the shard is missing"
    if file_hash(shard) != said["sha256"]:
        return "the file was changed or damaged: its SHA-256 is not the manifest's"
    return None


def _shard_faults(
    corpus: Corpus, shard: Path, said: dict[str, Any], totals: _Totals
) -> Iterator[str]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = 0
    try:
        schema = pq.read_schema(shard)
        if not schema.equals(row_schema()):
            yield f"{said['file']}: its columns are not those of a corpus: {_differing(schema)}"
            return
        for batch in read_batches([shard]):
            faults = [*row_faults(batch), *_order_faults(corpus, batch, totals)]
            for row, what in sorted(faults):
                yield f"{said['file']}: row {rows + row} {_place(batch, row)}: {what}"
            rows += batch.num_rows
    except (OSError, pa.ArrowException) as error:
        yield one_line(f"{said['file']}: cannot be read after row {rows}: {error}")
        return
    if rows != said["rows"]:
        yield f"{said['file']}: holds {rows} rows, the manifest says {said['rows']}"


def _differing(schema: pa.Schema) -> str:
    ours, theirs = row_schema(), {field.name: field.type for field in schema}
    wrong = [field.name for field in ours if theirs.get(field.name) != field.type]
    more = [name for name in theirs if name not in ours.names]
    return ", ".join([*wrong, *more]) or "their order"


def _place(batch: pa.RecordBatch, row: int) -> str:
    unit, function, view = (
        batch.column(name)[row].as_py() for name in ("unit", "function", "view")
    )
    return one_line(f"({unit}: {function}, {view})", limit=120)


def _order_faults(
    corpus: Corpus, batch: pa.RecordBatch, totals: _Totals
) -> Iterator[tuple[int, str]]:
    """Faults between rows: the views of a function stand together, each once."""
    projects = set(corpus.manifest["sources"]["projects"])
    for row, values in enumerate(batch.select(_KEYS).to_pylist()):
        if values["view"] not in corpus.views:
            yield row, "its view is none of the manifest's"
        if values["project"] not in projects:
            yield row, "its project is none of the manifest's"
        if values["group"] != totals.group:
            totals.group, totals.views = values["group"], set()
            key = str(values["group"]).encode()[:32]
            if key in totals.groups:
                yield row, "its group is that of an earlier function"
            totals.groups.add(key)
            totals.counts["functions"] += 1
        if values["view"] in totals.views:
            yield row, "its function has this view already"
        totals.views.add(values["view"])
        unit = values["project"], values["unit"]
        totals.counts["units"] += unit != totals.unit
        totals.unit = unit
        totals.counts["rows"] += 1
        totals.counts["instructions"] += values["n_instructions"] or 0


def _foreign_files(corpus: Corpus) -> Iterator[str]:
    named = {shard.name for shard in corpus.shards}
    for file in sorted((corpus.path / SHARDS).glob("*")):
        if file.name not in named:
            yield f"{SHARDS}/{printable(file.name)}: the manifest names no such shard"


def _error_faults(corpus: Corpus) -> Iterator[str]:
    try:
        found = Counter(failure.reason for failure in read_errors(corpus.path / ERRORS))
    except FileNotFoundError:
        yield f"{ERRORS}: the file is missing"
        return
    except (OSError, ValueError, TypeError) as error:
        yield one_line(f"{ERRORS}: cannot be read: {error}")
        return
    said = Counter(corpus.manifest["counts"]["errors"])
    for reason in sorted((found - said) | (said - found)):
        yield f"{ERRORS}: {found[reason]} units of {reason!r}, the manifest says {said[reason]}"


def _count_faults(said: dict[str, Any], totals: _Totals) -> Iterator[str]:
    found = totals.counts
    for name in ("functions", "rows", "instructions"):
        if said[name] != found[name]:
            yield f"manifest.json: counts {said[name]} {name}, the shards hold {found[name]}"
    most = said["units"] - sum(said["errors"].values())
    if found["units"] > most:
        yield f"manifest.json: {most} units did not fail, the shards hold {found['units']}"
