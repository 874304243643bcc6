"""The report of a run: one HTML file with curves and options that opens without a network."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from ir_pipeline.atomic import write_atomically
from oscar.folder import CONFIG
from pretrain.report.charts import Curve, draw
from pretrain.report.environment import environment
from pretrain.report.metrics import HELD_OUT, Figures, read_metrics
from pretrain.report.opcodes import OPCODE_CLASSES

FILE = "report.html"

_STREAMS = ("instruction", "environment")


class Topic(NamedTuple):
    """A section of the report: figures that share an axis.

    Attributes:
        title: Its heading.
        note: What the figures are.
        unit: Of the axis.
        names: Of the figures, as in the metrics.
        best: Which of two values is the better one, `min` or `max`; None where neither is.
        top: The upper end of the axis, which then begins at zero.
    """

    title: str
    note: str
    unit: str
    names: tuple[str, ...]
    best: Callable[[Sequence[float]], float] | None = None
    top: float | None = None


_TOPICS = (
    Topic(
        "Losses",
        "What is minimised, in nats: the mean cross entropy of a hidden token of either stream, "
        "and of telling a function from others. Dashed: functions held out from training.",
        "loss",
        tuple(
            f"{prefix}{name}"
            for prefix in ("", HELD_OUT)
            for name in ("mlm_instruction", "mlm_environment", "contrast")
        ),
        min,
    ),
    Topic(
        "Hidden tokens guessed right, by kind of instruction",
        "The share of the hidden tokens of held-out functions that the model guesses, of both "
        "streams together, by the opcode of their instruction; and of either stream.",
        "share guessed right",
        tuple(f"{HELD_OUT}accuracy_{name}" for name in (*OPCODE_CLASSES, *_STREAMS)),
        max,
        top=1,
    ),
    Topic(
        "Finding a function again",
        "Each held-out function, read in its first view, looks for itself among the last views of "
        "all of them, by the cosine of the embeddings: the share that comes first (recall at 1), "
        "and the mean of one over its rank (MRR).",
        "share",
        (f"{HELD_OUT}recall_at_1", f"{HELD_OUT}mrr"),
        max,
        top=1,
    ),
    Topic(
        "Throughput",
        "Tokens of both streams and both views read in a second, over all processes.",
        "tokens per second",
        ("tokens_per_second",),
    ),
    Topic(
        "Work saved and lost",
        "The share of the token groups that are copies of another group of their batch, and are "
        "read once; and the share of padding in what is left.",
        "share",
        ("duplicate_share", "padding_share"),
        top=1,
    ),
    Topic("Learning rate", "As the schedule says.", "learning rate", ("learning_rate",)),
)


def write_report(run: Path) -> None:
    """Writes `report.html` into the folder of a run, whole or not at all.

    A run that has not logged anything yet gets a page without curves.

    Args:
        run: The folder; read are its options, its model's shape and its metrics.
    """
    lines, options = read_metrics(run / "metrics.jsonl"), _read(run / "training.json")
    templates = Environment(
        loader=PackageLoader("pretrain.report", "."),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    page = templates.get_template(f"{FILE}.j2").render(
        title=f"Pretraining: {run.resolve().name}",
        standing=_standing(lines, options),
        sections=list(_sections(lines)),
        tables=[
            ("Options", options),
            ("Model", _read(run / CONFIG)),
            ("Computed with", environment()),
        ],
    )
    write_atomically(run / FILE, page.encode())


def _read(path: Path) -> dict[str, Any]:
    try:
        facts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return facts


def _standing(lines: list[Figures], options: dict[str, Any]) -> str:
    if not lines:
        return "Nothing is logged yet."
    last = lines[-1]
    return f"Step {last['step']:,.0f} of {options.get('steps', 0):,}."


def _sections(lines: list[Figures]) -> Iterator[dict[str, Any]]:
    for topic in _TOPICS:
        both = not all(name.startswith(HELD_OUT) for name in topic.names)
        curves = {}
        for name in topic.names:
            points = [(line["step"], line[name]) for line in lines if name in line]
            points = [(step, value) for step, value in points if math.isfinite(value)]
            if points:
                kind = name.removeprefix(HELD_OUT)
                held_out = both and name != kind
                shown = f"{'held out: ' * held_out}{kind.removeprefix('accuracy_')}"
                steps, values = zip(*points, strict=True)
                curves[shown.replace("_", " ")] = Curve(steps, values, kind, held_out)
        if curves:
            yield {
                "title": topic.title,
                "note": topic.note,
                "chart": Markup(draw(curves, topic.unit, topic.top)),
                "rows": [{"": name, **_told(curve, topic.best)} for name, curve in curves.items()],
            }


def _told(curve: Curve, best: Callable[[Sequence[float]], float] | None) -> dict[str, str]:
    """First, best and last value of a curve."""
    values = {"first": curve.values[0]}
    if best is not None:
        values["best"] = best(curve.values)
    values["last"] = curve.values[-1]
    return {name: f"{value:.4g}" for name, value in values.items()}
