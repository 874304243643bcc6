"""Representations of the same programs side by side: who finds the programs of its own kind?"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from rich.table import Table
from rich.text import Text

from finetune.evaluation.matching import Matching
from finetune.evaluation.retrieval import Retrieval
from finetune.evaluation.similarity import Vectors, neighbours
from oscar.embedding import Unit

HEADINGS = {"recall_at_1": "recall@1", "mrr": "MRR", "map_at_r": "MAP@R"}


class Representation(NamedTuple):
    """A named way to turn units into vectors (units, dim)."""

    name: str
    vectors: Vectors


def query_table(
    units: list[Unit],
    representations: list[Representation],
    label: Callable[[Unit], str],
    queries: int,
) -> Table:
    """The nearest unit of some evenly spread queries, marked by whether its label is the same."""
    table = Table(title="Nearest program of some queries", title_justify="left")
    table.add_column("query", overflow="fold")
    nearest = []
    for representation in representations:
        table.add_column(representation.name, overflow="fold")
        nearest.append(neighbours(representation.vectors)[:, 0])
    for query in range(0, len(units), max(1, len(units) // queries)):
        answers = (units[column[query]] for column in nearest)
        cells = (_mark(answer, label(answer) == label(units[query])) for answer in answers)
        table.add_row(Text(units[query][1]), *cells)
    return table


def _mark(unit: Unit, right: bool) -> Text:
    mark = "✓" if right else "✗"
    return Text(f"{mark}\N{NO-BREAK SPACE}{unit[1]}", style="green" if right else "red")


def figure_table(title: str, figures: Mapping[str, Retrieval | Matching]) -> Table:
    """Figures of one kind in per cent, a row a representation."""
    columns = [name for name in HEADINGS if hasattr(next(iter(figures.values())), name)]
    table = Table("representation", title=title, title_justify="left")
    for name in columns:
        table.add_column(HEADINGS[name], justify="right")
    for representation, figure in figures.items():
        values = (f"{100 * getattr(figure, name):.1f} %" for name in columns)
        table.add_row(representation, *values)
    return table
