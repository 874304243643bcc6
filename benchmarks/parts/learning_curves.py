"""How the retrieval of programs rises while models are pretrained, as an SVG."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from matplotlib.figure import Figure

from finetune.evaluation.picture import save_svg


def draw_learning(
    path: Path, curves: Mapping[str, Mapping[float, float]], levels: Mapping[str, float]
) -> None:
    """Draw MAP@R over minutes of training, a line a configuration, baselines dashed.

    Args:
        path: The SVG to write.
        curves: For each configuration, MAP@R by minutes of training.
        levels: MAP@R of what is not trained.
    """
    figure = Figure(figsize=(8, 4.4), layout="constrained")
    axes = figure.subplots()
    for number, (name, curve) in enumerate(curves.items()):
        minutes = sorted(curve)
        values = [100 * curve[minute] for minute in minutes]
        axes.plot(minutes, values, label=name, color=f"C{number}", marker="o", markersize=3)
    for number, (name, value) in enumerate(levels.items()):
        style = ("--", ":")[number % 2]
        axes.axhline(100 * value, label=name, color="0.4", linestyle=style, linewidth=1)
    axes.set_xlabel("minutes of training")
    axes.set_ylabel("MAP@R (%), problems not trained on")
    axes.grid(color="0.92")
    figure.legend(loc="outside right upper", fontsize=8, frameon=False)
    save_svg(figure, path)
