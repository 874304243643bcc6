"""What an evaluation leaves behind: a printed table, metrics.json, results.md."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table

from finetune.evaluation.curves import Curve
from ir_pipeline.atomic import write_atomically

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

METRICS, MARKDOWN = "metrics.json", "results.md"

PERCENT = {
    "map_at_r": "MAP@R",
    "recall_at_1": "recall@1",
    "recall_at_5": "recall@5",
    "recall_at_10": "recall@10",
    "mrr": "MRR",
    "ndcg_at_10": "nDCG@10",
    "error": "error",
    "macro_f1": "macro F1",
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
}
"""Figures that are printed in per cent, in this order."""


@dataclass(frozen=True)
class Result:
    """The figures of one representation.

    Attributes:
        figures: a dataclass of evaluation, such as `Retrieval`.
        interval: 95 % interval of the first figure.
        more: further figures, such as those without lost programs; keys in snake_case.
        model: folder of the model that is judged; None: a baseline.
        curve: how a figure changes along something.
    """

    figures: DataclassInstance
    interval: tuple[float, float] | None = None
    more: Mapping[str, float] = field(default_factory=dict)
    model: str | None = None
    curve: Curve | None = None

    @property
    def headline(self) -> float:
        """The first figure."""
        value: float = next(iter(asdict(self.figures).values()))
        return value

    def as_json(self) -> dict[str, Any]:
        """All of it, flat."""
        first = next(iter(asdict(self.figures)))
        interval = {f"{first}_interval": list(self.interval)} if self.interval else {}
        return {**asdict(self.figures), **interval, **self.more}

    @property
    def percent(self) -> dict[str, float]:
        """Heading and value of what is printed in per cent."""
        values = self.as_json()
        own = {PERCENT[name]: 100 * values[name] for name in PERCENT if name in values}
        return own | {name.replace("_", " "): 100 * value for name, value in self.more.items()}


@dataclass(frozen=True)
class Evaluation:
    """The results of one task, a row a representation.

    Attributes:
        title: what was asked, of what, with pool sizes.
        results: by name, in order.
        facts: what the figures depend on: files, counts, options.
        task: name of the task and of its data, under which a model's card has the results.
        pictures: files that lie beside the results, and what they show.
    """

    title: str
    results: dict[str, Result]
    facts: Mapping[str, Any]
    task: str = ""
    pictures: Mapping[str, str] = field(default_factory=dict)

    def table(self) -> Table:
        """For the terminal."""
        table = Table("representation", title=self.title, title_justify="left")
        for heading in self._headings:
            table.add_column(heading, justify="right")
        for name, result in self.results.items():
            table.add_row(name, *self._cells(result))
        return table

    def markdown(self) -> str:
        """For documents: the table, what it depends on, and the pictures."""
        pictures = [f"\n![{caption}]({file})" for file, caption in self.pictures.items()]
        table = self._rows(self.results, self._headings)
        return "\n".join([*table, "", *self._facts, *pictures, ""])

    def card_section(self, model: str) -> str:
        """The headline figures of one model beside those of the baselines, for the model's card.

        Args:
            model: its folder, as in the results.
        """
        shown = {
            name.replace(model, "**this model**") if result.model else name: result
            for name, result in self.results.items()
            if result.model in (None, model)
        }
        return "\n".join([*self._rows(shown, self._headings[:2]), "", *self._facts, ""])

    def write(self, folder: Path) -> None:
        """Write `metrics.json` and `results.md` into `folder`, each whole or not at all."""
        folder.mkdir(parents=True, exist_ok=True)
        record = {
            "results": {name: result.as_json() for name, result in self.results.items()},
            "facts": dict(self.facts),
            "versions": {"oscar": version("oscar-ir"), "python": platform.python_version()},
        }
        write_atomically(folder / METRICS, json.dumps(record, indent=2).encode() + b"\n")
        write_atomically(folder / MARKDOWN, self.markdown().encode())

    def _rows(self, results: Mapping[str, Result], headings: Sequence[str]) -> list[str]:
        lines = [f"{self.title}, in %:", "", f"| representation | {' | '.join(headings)} |"]
        lines.append("|---|" + "---|" * len(headings))
        for name, result in results.items():
            cells = self._cells(result)[: len(headings)]
            lines.append(f"| {name} | {' | '.join(cells)} |")
        return lines

    @property
    def _facts(self) -> list[str]:
        return [f"- {name.replace('_', ' ')}: {value}" for name, value in self.facts.items()]

    @property
    def _headings(self) -> list[str]:
        names: dict[str, None] = {}
        for result in self.results.values():
            names.update(dict.fromkeys(result.percent))
        intervals = any(result.interval for result in self.results.values())
        first, *others = names
        return [first, *(["95 % interval"] if intervals else []), *others]

    def _cells(self, result: Result) -> list[str]:
        low, high = result.interval or (None, None)
        cells = {name: f"{value:.1f}" for name, value in result.percent.items()}
        if low is not None and high is not None:
            cells["95 % interval"] = f"{100 * low:.1f} – {100 * high:.1f}"
        return [cells.get(heading, "") for heading in self._headings]
