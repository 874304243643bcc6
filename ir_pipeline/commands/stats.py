"""`oscar corpus stats`: what is in a corpus?"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ir_pipeline.atomic import write_atomically
from ir_pipeline.corpus.reader import open_corpus
from ir_pipeline.corpus.statistics import KINDS, Statistics, statistics
from ir_pipeline.corpus.statistics_plot import check_plot, plot
from ir_pipeline.progress import counting

_MOST = 10


def stats(
    corpus: Path,
    *,
    json_file: Annotated[Path | None, Parameter(name="--json")] = None,
    plot_file: Annotated[Path | None, Parameter(name="--plot")] = None,
) -> None:
    """Count what a corpus holds: lengths, opcodes, views, licences, copies, what was left out.

    Example: `oscar corpus stats corpus --plot corpus.svg --json corpus.json`

    Args:
        corpus: folder of the corpus.
        json_file: write all figures there, for machines.
        plot_file: draw them there: a .svg, .png or .pdf file.
    """
    opened = open_corpus(corpus)
    if plot_file is not None:
        check_plot(plot_file)
    with counting("counting rows") as show:
        found = statistics(opened, show)
    if json_file is not None:
        write_atomically(json_file, (json.dumps(found.as_json(), indent=2) + "\n").encode())
    if plot_file is not None:
        plot(found, f"corpus {corpus}", plot_file)
    Console().print(stats_table(f"corpus {corpus}", found))


def stats_table(title: str, found: Statistics) -> Table:
    """The figures as a table; of long lists the most frequent."""
    table = Table("what", "number", "share", title=Text(title), title_justify="left")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, number, whole in _lines(found):
        share = f"{number / whole:.1%}" if whole else ""
        table.add_row(Text(name), f"{number:,}", share)
    return table


def _lines(found: Statistics) -> Iterator[tuple[str, int, int]]:
    counts = found.counts
    functions = counts["functions"]
    yield from ((name, counts[name], 0) for name in ("units", "functions", "rows", "instructions"))
    yield from ((f"instructions a row: {name}", n, 0) for name, n in found.quantiles().items())
    yield "functions with source", found.with_source, functions
    yield "functions with doc comment", found.with_doc, functions
    yield "exact copies of earlier functions", found.exact_copies, functions
    yield "exact or structural copies", found.structural_copies, functions
    yield from _most("view", found.views)
    for kind in KINDS:
        if set(found.kinds[kind]) != {"none"}:
            yield from _most(kind, found.kinds[kind])
    yield from _most("opcode", found.opcodes)
    yield from _most("left out", Counter(counts["dropped"]), share=False)
    yield from _most("failed", Counter(counts["errors"]), share=False)
    yield from _most("repaired", Counter(counts["repairs"]), share=False)


def _most(what: str, values: Counter[str], *, share: bool = True) -> Iterator[tuple[str, int, int]]:
    whole = values.total() if share else 0
    shown = values.most_common(_MOST)
    yield from ((f"{what}: {name}", number, whole) for name, number in shown)
    if len(values) > len(shown):
        rest = values.total() - sum(number for _, number in shown)
        yield f"{what}: {len(values) - len(shown)} others", rest, whole
