"""Draws what `statistics` counts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from ir_pipeline.atomic import replacing
from ir_pipeline.corpus.statistics import Statistics
from static_analysis.errors import OscarError

FORMATS = (".svg", ".png", ".pdf")
_MOST_BARS = 16


def check_plot(file: Path) -> None:
    """Makes sure that a plot can be written to `file`.

    Raises:
        OscarError: its name says no format that is known.
    """
    if file.suffix.lower() not in FORMATS:
        raise OscarError(f"--plot {file}: name a file that ends in {', '.join(FORMATS)}")


def plot(found: Statistics, title: str, file: Path) -> None:
    """Writes one page: lengths, opcodes, views, licences, what was left out and why."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 8), layout="constrained")
    axes = figure.subplots(2, 3).flat
    _lengths(next(axes), found.lengths)
    lost = Counter(found.counts["dropped"]) + Counter(found.counts["errors"])
    for panel, name, values in (
        (next(axes), "instructions by opcode", found.opcodes),
        (next(axes), "rows by view", found.views),
        (next(axes), "functions by licence", found.kinds["license"]),
        (next(axes), "functions by project", found.kinds["project"]),
        (next(axes), "left out or failed, by reason", lost),
    ):
        _bars(panel, name, values)
    figure.suptitle(title)
    with replacing(file) as draft:
        figure.savefig(draft, format=file.suffix[1:].lower(), metadata={})


def _lengths(panel: Any, lengths: Counter[int]) -> None:
    import numpy as np

    edges = np.geomspace(1, max(lengths, default=1) + 1, 30)
    panel.hist(list(lengths), bins=edges, weights=list(lengths.values()))
    panel.set_xscale("log")
    panel.set_title("rows by number of instructions")


def _bars(panel: Any, title: str, values: Counter[str]) -> None:
    shown = values.most_common(_MOST_BARS)
    rest = values.total() - sum(number for _, number in shown)
    bars = [*shown, *([(f"{len(values) - len(shown)} more", rest)] if rest else [])]
    panel.barh([_short(name) for name, _ in bars], [number for _, number in bars])
    panel.invert_yaxis()
    panel.tick_params(axis="y", labelsize="small")
    panel.set_title(title if bars else f"{title}: none")


def _short(name: str) -> str:
    # A dollar sign would begin a formula.
    return (name if len(name) <= 28 else f"{name[:27]}…").replace("$", r"\$")
