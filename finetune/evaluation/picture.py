"""A map of embeddings in two dimensions."""

from pathlib import Path

import numpy as np
from matplotlib import colormaps
from matplotlib.figure import Figure
from sklearn.manifold import TSNE

from ir_pipeline.atomic import replacing
from oscar.embedding import unit_length


def draw_map(path: Path, vectors: np.ndarray, labels: list[str]) -> None:
    """Write a PNG in which vectors (n, dim) near by cosine lie near each other.

    t-SNE places the points, a colour a label; items of one label are joined to their centre,
    where the label is written. The same vectors give the same picture.
    """
    points = _place(vectors)
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
    axes.set_title("Embeddings of the programs, one colour a task (t-SNE of cosine distances)")
    with replacing(path) as unfinished:
        figure.savefig(unfinished, format="png", bbox_inches="tight")


def _place(vectors: np.ndarray) -> np.ndarray:
    perplexity = min(15.0, max(1.0, (len(vectors) - 1) / 3))
    layout = TSNE(metric="cosine", init="random", perplexity=perplexity, random_state=0)
    return np.asarray(layout.fit_transform(unit_length(vectors)))
