"""Curves over the steps of a run as SVG text that stands in an HTML page."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import matplotlib
import numpy as np
from matplotlib.figure import Figure

_MOST_POINTS = 300
# Okabe and Ito, "Color Universal Design": told apart by readers of any colour vision.
_COLOURS = (
    *("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"),
    *("#999999", "#8c510a"),
)


class Curve(NamedTuple):
    """The values of one figure.

    Attributes:
        steps: Where it was measured, rising.
        values: What it was there, as many, all finite.
        kind: Curves of one kind have one colour.
        dashed: Whether to draw it dashed.
    """

    steps: Sequence[float]
    values: Sequence[float]
    kind: str
    dashed: bool = False


def draw(curves: Mapping[str, Curve], unit: str, top: float | None = None) -> str:
    """An SVG element with a line for each curve, named beside it.

    Long curves are thinned out to means of neighbouring points, so that the page stays light. The
    same curves give the same text.

    Args:
        curves: By name.
        unit: What the vertical axis shows.
        top: The upper end of the vertical axis, which then begins at zero.
    """
    figure = Figure(figsize=(9, 3.4), layout="constrained")
    axes = figure.subplots()
    kinds = list(dict.fromkeys(curve.kind for curve in curves.values()))
    for name, curve in curves.items():
        steps, values = _thinned(curve)
        axes.plot(
            steps,
            values,
            label=name,
            color=_COLOURS[kinds.index(curve.kind) % len(_COLOURS)],
            linestyle="--" if curve.dashed else "-",
            marker="o" if len(steps) < 12 else "",
            markersize=3,
            linewidth=1.4,
        )
    axes.set_xlabel("step")
    axes.set_ylabel(unit)
    if top is not None:
        axes.set_ylim(0, top)
    axes.grid(color="0.9")
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside right upper", fontsize=8, frameon=False)
    return _svg(figure, unit)


def _thinned(curve: Curve) -> tuple[np.ndarray, np.ndarray]:
    points = np.array([curve.steps, curve.values], float).T
    parts = np.array_split(points, min(len(points), _MOST_POINTS))
    means = np.array([part.mean(axis=0) for part in parts])
    return means[:, 0], means[:, 1]


def _svg(figure: Figure, salt: str) -> str:
    """The element alone: no XML head, no metadata; text as text, for search and size."""
    text = io.StringIO()
    nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    with matplotlib.rc_context({"svg.hashsalt": salt, "svg.fonttype": "none"}):
        figure.savefig(text, format="svg", metadata=nothing)
    whole = text.getvalue()
    return whole[whole.index("<svg") :]
