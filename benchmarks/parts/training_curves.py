"""Curves of trainings as an SVG: a column of panels a task, a row a learning rate."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Protocol

import numpy as np
from matplotlib.figure import Figure

from finetune.evaluation.picture import save_svg

WINDOW = 25  # steps of a running mean


class Curve(Protocol):
    """What is drawn of a run."""

    task: str
    variant: str
    rate: float
    losses: list[float]


def draw_curves(path: Path, runs: Sequence[Curve]) -> None:
    """Write the training losses of all runs; a line ends where its run diverged."""
    tasks, rates = list(dict.fromkeys(run.task for run in runs)), sorted({r.rate for r in runs})
    figure = Figure(figsize=(4.4 * len(tasks), 3.2 * len(rates)), layout="constrained")
    panels = figure.subplots(len(rates), len(tasks), squeeze=False, sharex=True, sharey="col")
    variants = list(dict.fromkeys(run.variant for run in runs))
    for (row, rate), (column, task) in product(enumerate(rates), enumerate(tasks)):
        axes = panels[row, column]
        for run in (run for run in runs if (run.task, run.rate) == (task, rate)):
            colour = f"C{variants.index(run.variant)}"
            steps, means = _running_mean(run.losses)
            axes.plot(steps, means, color=colour, linewidth=1.2, label=run.variant)
        axes.set_title(f"{task}, learning rate {rate:g}", fontsize=9)
    for axes in panels[:, 0]:
        axes.set_ylabel("training loss")
    for axes in panels[-1]:
        axes.set_xlabel("step")
    handles, labels = panels[0, 0].get_legend_handles_labels()
    unique = dict(zip(labels, handles, strict=True))
    figure.legend(
        unique.values(), unique.keys(), loc="outside lower center", ncols=len(unique), fontsize=8
    )
    save_svg(figure, path)


def _running_mean(losses: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """Give steps and mean losses of successive windows."""
    whole = losses[: len(losses) // WINDOW * WINDOW]
    means = np.reshape(whole, (-1, WINDOW)).mean(axis=1)
    return (np.arange(len(means)) + 0.5) * WINDOW, means
