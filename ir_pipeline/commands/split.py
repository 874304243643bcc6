"""`oscar corpus split`: training, validation and test."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from rich.console import Console
from rich.progress import TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from ir_pipeline.corpus.parting import Parting, Rule
from ir_pipeline.corpus.reader import open_corpus
from ir_pipeline.corpus.split import split as write_parts
from ir_pipeline.engine.counts import Counts
from ir_pipeline.progress import counting


def split(
    corpus: Path,
    *,
    out: Path,
    by: Literal["project", "unit", "label"] = "project",
    fractions: Annotated[tuple[float, ...], Parameter(consume_multiple=True)] = (80, 10, 10),
    without_clones: bool = False,
    seed: int = 0,
) -> None:
    """Part a corpus into training, validation and test, each a corpus of its own.

    Example: `oscar corpus split corpus --out parts --by project --without-clones`

    The views of a function always stay together. What goes where depends on names and the seed
    only: a corpus that grows keeps what it had where it was. So the shares are met on average, not
    exactly.

    Args:
        corpus: folder of the corpus.
        out: new or empty folder for train, validation and test.
        by: what is never parted: a project, a unit, or all programs of a label.
        fractions: shares of train, validation and test, or of train and test.
        without_clones: leave out of validation and test each function that an earlier part has a
            copy of, exact or up to names; of labelled programs, each such program.
        seed: chooses another parting.
    """
    rule = Rule(by, fractions, seed, without_clones)
    opened = open_corpus(corpus)
    with counting("writing parts", TimeRemainingColumn()) as show:
        counts, parting = write_parts(opened, out, rule, show)
    Console().print(_table(out, counts, parting, without_clones))


def _table(out: Path, counts: Mapping[str, Counts], parting: Parting, without: bool) -> Table:
    clones = "left out as clones" if without else "also in earlier parts"
    table = Table("part", "units", "functions", "share", "rows", clones, title_justify="left")
    table.title = Text(f"parts {out}")
    for column in table.columns[1:]:
        column.justify = "right"
    whole = sum(part.functions for part in counts.values())
    for number, (name, part) in enumerate(counts.items()):
        table.add_row(
            name,
            f"{part.units:,}",
            f"{part.functions:,}",
            f"{part.functions / whole:.1%}",
            f"{part.rows:,}",
            f"{parting.clones[number]:,}",
        )
    return table
