"""Writes the parts of a corpus: each is a corpus of its own, and `datasets` reads them as one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ir_pipeline.atomic import replacing
from ir_pipeline.corpus.layout import ERRORS, MANIFEST, SHARDS
from ir_pipeline.corpus.manifest import file_hash, manifest
from ir_pipeline.corpus.parting import Parting, Rule, part_items
from ir_pipeline.corpus.reader import Corpus
from ir_pipeline.corpus.shards import Shard, ShardWriter, write_errors
from ir_pipeline.engine.counts import Counts
from static_analysis.errors import OscarError

if TYPE_CHECKING:
    import pyarrow as pa

CARD = "README.md"
_MADE_BY = ("format_version", "environment_version", "tools", "options", "sources")
Progress = Callable[[int, int], None]


def split(
    corpus: Corpus, out: Path, rule: Rule, progress: Progress | None = None
) -> tuple[dict[str, Counts], Parting]:
    """Writes the parts of a corpus as `out/train`, `out/validation` and `out/test`.

    Args:
        corpus: opened.
        out: new or empty folder.
        rule: what goes where.
        progress: called with the numbers of rows written and of all.

    Returns:
        The counts of each part by name, and what went where.

    Raises:
        OscarError: `out` holds something, a part would be empty, or there are no labels to part by.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise OscarError(f"{out}: holds other files; name a new or empty folder with --out")
    parting = part_items(corpus, rule)
    empty = [name for number, name in enumerate(rule.parts) if not parting.functions[number]]
    if empty:
        raise OscarError(
            f"{corpus.path}: nothing is left for {' and '.join(empty)}: too few {rule.by}s; "
            "part it --by unit, or choose other --fractions or another --seed"
        )
    counts = {}
    with replacing(out) as draft:
        folders = [draft / name for name in rule.parts]
        shards = _write_rows(corpus, folders, rule, parting, progress)
        for number, name in enumerate(rule.parts):
            counts[name] = _counts(parting, number, shards[number], rule)
            text = manifest(_made_by(corpus, rule, name), counts[name], shards[number])
            write_errors([], folders[number] / ERRORS)
            (folders[number] / MANIFEST).write_text(text, encoding="utf-8")
        (draft / CARD).write_text(_card(rule), encoding="utf-8")
    return counts, parting


def _write_rows(
    corpus: Corpus,
    folders: Sequence[Path],
    rule: Rule,
    parting: Parting,
    progress: Progress | None,
) -> list[list[Shard]]:
    with ExitStack() as stack:
        writers = [stack.enter_context(closing(ShardWriter(path / SHARDS))) for path in folders]
        rows = 0
        for batch in corpus.batches():
            for number, part in _parts_of(batch, rule, parting):
                writers[number].write(part)
            rows += batch.num_rows
            if progress is not None:
                progress(rows, corpus.manifest["counts"]["rows"])
    return [writer.shards for writer in writers]


def _parts_of(
    batch: pa.RecordBatch, rule: Rule, parting: Parting
) -> Iterator[tuple[int, pa.RecordBatch]]:
    """The rows of a batch by the part that they belong to, without those that are left out."""
    places: dict[int, list[int]] = {}
    for at, row in enumerate(batch.select(["project", "unit", "label", "group"]).to_pylist()):
        if row["group"] not in parting.left_out:
            places.setdefault(rule.part(row), []).append(at)
    yield from ((number, batch.take(rows)) for number, rows in sorted(places.items()))


def _counts(parting: Parting, number: int, shards: Sequence[Shard], rule: Rule) -> Counts:
    counts = Counts(units=parting.units[number], functions=parting.functions[number])
    counts.rows = sum(shard.rows for shard in shards)
    counts.instructions = sum(shard.instructions for shard in shards)
    if rule.without_clones and parting.clones[number]:
        counts.dropped["clone of another part"] = parting.clones[number]
    return counts


def _made_by(corpus: Corpus, rule: Rule, name: str) -> dict[str, Any]:
    """The corpus's plan, with the part that it is: no run takes a part for the whole."""
    plan = {key: corpus.manifest[key] for key in _MADE_BY}
    whole = file_hash(corpus.path / MANIFEST)
    part = {"name": name, **rule.as_json(), "manifest_sha256": whole}
    return {**plan, "options": {**plan["options"], "part": part}}


def _card(rule: Rule) -> str:
    """What tells `datasets.load_dataset` where the parts are."""
    files = [
        line
        for name in rule.parts
        for line in (f"  - split: {name}", f"    path: {name}/{SHARDS}/*.parquet")
    ]
    head = "\n".join(["---", "configs:", "- config_name: default", "  data_files:", *files, "---"])
    how = " ".join(f"{share:g}" for share in rule.fractions)
    return (
        f"{head}\n\nA corpus of OSCAR in parts ({' '.join(rule.parts)}: {how}), by {rule.by}, "
        f"seed {rule.seed}. Each folder is a corpus of its own.\n"
    )
