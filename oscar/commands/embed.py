"""`oscar embed`: write one vector per function."""

import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
from cyclopts import Parameter
from rich.console import Console
from rich.progress import TimeElapsedColumn

from ir_pipeline import Failure, FunctionView
from ir_pipeline.progress import progress_bar
from oscar.commands.console import output, plain
from oscar.embedding import NOTHING_CUT, Embeddings, read_rows
from oscar.embedding import embed as embed_rows
from oscar.embedding_file import Origin, check_replaceable, write_embeddings
from oscar.memory import keep_freed_memory
from oscar.model import OscarModel
from static_analysis import OscarError


def embed(
    inputs: Annotated[Sequence[Path], Parameter(show_default=False)] = (),
    *,
    model: Path,
    out: Path,
    view: str = "O0",
    clang: Path | None = None,
    workers: int | None = None,
) -> None:
    """Embed the functions of sources, IR files or corpora.

    Example: `oscar embed zlib-1.2.13/ --model run --out zlib.parquet`

    Args:
        inputs: What `oscar preprocess` takes, or corpora it wrote.
        model: A model folder, such as one written by `oscar pretrain`.
        out: The Parquet file to write: a row a function, its names and `vector`.
        view: The IR version to embed: O0, O1, O2, O3 or random-N.
        clang: Another compiler than the default.
        workers: Processes that lower and analyse; all cores by default.
    """
    if not inputs:
        raise OscarError("no input given: name sources, IR files or corpora to embed")
    check_replaceable(out)
    started = time.monotonic()
    keep_freed_memory()
    encoder = OscarModel.from_pretrained(model)
    failures: list[Failure] = []
    with progress_bar(Console(stderr=True), TimeElapsedColumn()) as bar:
        rows = bar.track(read_rows(inputs, view, clang, workers), description="functions")
        embeddings = embed_rows(encoder, _functions(rows, failures))
    if not embeddings.functions:
        raise OscarError(_nothing(failures))
    if not np.isfinite(embeddings.vectors).all():
        raise OscarError(f"{model} gives vectors that are not finite: its training went wrong")
    write_embeddings(out, embeddings, Origin.of(model))
    number, seconds = len(embeddings.functions), time.monotonic() - started
    output().print(
        f"{number} functions embedded in {seconds:.1f} s ({number / seconds:.0f}/s): {out}"
    )
    _report_losses(embeddings, failures)


def _report_losses(embeddings: Embeddings, failures: list[Failure]) -> None:
    """Print what was cut, and which units gave no function."""
    console = output()
    if embeddings.cuts != NOTHING_CUT:
        console.print(
            f"beyond the model's limits and left out: {embeddings.cuts.instructions} instructions "
            f"of {embeddings.cuts.functions} functions, {embeddings.cuts.tokens} tokens"
        )
    for failure in failures:
        console.print(plain(f"not embedded: {failure.unit} ({failure.stage}): {failure.message}"))


def _functions(
    rows: Iterable[FunctionView | Failure], failures: list[Failure]
) -> Iterator[FunctionView]:
    for row in rows:
        if isinstance(row, Failure):
            failures.append(row)
        else:
            yield row


def _nothing(failures: list[Failure]) -> str:
    if not failures:
        return "the inputs define no function: nothing to embed"
    first = failures[0]
    reason = f"{first.unit} ({first.stage}): {first.message}"
    return f"none of {len(failures)} inputs could be read; the first: {reason}"
