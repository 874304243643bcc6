"""Pictures of results: a map of embeddings in two dimensions, curves side by side."""

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib import colormaps
from matplotlib.figure import Figure
from sklearn.manifold import TSNE

from finetune.evaluation.curves import Curve
from finetune.evaluation.results import Result
from ir_pipeline.atomic import replacing
from oscar.embedding import unit_length

MAPPED = 1000
"""Most items on a map: more can neither be placed in seconds nor be told apart."""

_THIN = ("--", ":", "-.")


def draw_map(path: Path, vectors: np.ndarray, labels: Sequence[str]) -> None:
    """Write a PNG in which vectors (n, dim) near by cosine lie near each other.

    t-SNE places the points, a colour a label; items of one label are joined to their centre,
    where the label is written. Of more than `MAPPED` items the first of each label are drawn. The
    same vectors give the same picture.
    """
    kept = _first_of_each(labels)
    labels = [labels[item] for item in kept]
    points = _place(vectors[kept])
    figure = Figure(figsize=(14, 10), dpi=110)
    axes = figure.subplots()
    names = sorted(set(labels))
    for position, name in enumerate(names):
        members = points[[label == name for label in labels]]
        colour = colormaps["turbo"](position / max(1, len(names) - 1))
        centre = members.mean(axis=0)
        for member in members:
            axes.plot(*zip(centre, member, strict=True), color=colour, alpha=0.35, linewidth=1)
        x, y = members.T
        axes.scatter(x, y, color=[colour], s=45, edgecolor="white", linewidth=0.6, zorder=2)
        axes.annotate(name, centre, fontsize=8, ha="center", color="0.15", zorder=3)
    axes.set_axis_off()
    axes.set_title(f"Embeddings of {len(kept)} programs, one colour a task (t-SNE of cosines)")
    with replacing(path) as unfinished:
        figure.savefig(unfinished, format="png", bbox_inches="tight")


def _first_of_each(labels: Sequence[str]) -> list[int]:
    by_label = sorted(range(len(labels)), key=lambda item: labels[item])
    members = [list(items) for _, items in groupby(by_label, key=lambda item: labels[item])]
    most = max(1, MAPPED // max(1, len(members)))
    return sorted(item for items in members for item in items[:most])


def _place(vectors: np.ndarray) -> np.ndarray:
    perplexity = min(15.0, max(1.0, (len(vectors) - 1) / 3))
    layout = TSNE(metric="cosine", init="random", perplexity=perplexity, random_state=0)
    return np.asarray(layout.fit_transform(unit_length(vectors)))


def draw_curves(
    path: Path,
    curves: Mapping[str, Curve],
    x_label: str,
    y_label: str,
    *,
    strong: Collection[str] = (),
    sizes: bool = False,
) -> None:
    """Write an SVG with all curves in one figure; the same curves give the same bytes.

    Args:
        path: of the picture.
        curves: by name, in the legend's order.
        x_label: what x is.
        y_label: what y is, a share.
        strong: names of the curves that the picture is about; the others are thin and dashed.
        sizes: x is a size, on a logarithmic axis, and not a share.
    """
    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.subplots()
    for number, (name, curve) in enumerate(curves.items()):
        line, width = ("-", 2.2) if name in strong else (_THIN[number // 10 % len(_THIN)], 1.1)
        axes.plot(
            curve.x,
            curve.y,
            label=name,
            color=colormaps["tab10"](number % 10),
            linestyle=line,
            linewidth=width,
            marker="o" if sizes else "",
            markersize=3,
        )
    axes.set(xlabel=x_label, ylabel=y_label, ylim=(0, 1.02))
    if sizes:
        axes.set_xscale("log")
    axes.grid(color="0.9")
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside right upper", fontsize=7, frameon=False)
    save_svg(figure, path)


def save_svg(figure: Figure, path: Path) -> None:
    """Write a figure as an SVG whose bytes depend on the figure alone."""
    with matplotlib.rc_context({"svg.hashsalt": "oscar"}), replacing(path) as unfinished:
        figure.savefig(unfinished, format="svg", metadata={"Date": None})


def draw_sizes(path: Path, results: Mapping[str, Result], figure: str) -> dict[str, str]:
    """Draw how the results that have a curve change with the size of functions.

    Args:
        path: of the picture.
        results: by name.
        figure: what the curves' y is.

    Returns:
        The file's name and what it shows, as evaluations take it; nothing without curves.
    """
    curves = {name: result.curve for name, result in results.items() if result.curve is not None}
    if not curves:
        return {}
    strong = [name for name, result in results.items() if result.model]
    draw_curves(path, curves, "instructions of the function", figure, strong=strong, sizes=True)
    return {path.name: f"{figure} by size of the function"}
