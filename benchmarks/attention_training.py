"""Train small encoders from scratch with softmax and kernelised attention, and compare.

    python -m benchmarks.attention_training [--steps N] [--rates R ...] [--seeds S ...]
        [--json FILE] [--plot FILE]

Two layers of width 64 over 256 words, learned absolute positions, no gradient clipping, Adam
with a warm-up of a twentieth of the steps. All variants see the same batches.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Annotated

import cyclopts
import torch
from rich.table import Table

from benchmarks.parts.small_encoder import HEADS, LAYERS, WIDTH, Encoder, Run, fit
from benchmarks.parts.training_curves import draw_curves
from benchmarks.parts.training_tasks import Copy, MaskedCode, Task
from oscar.attention import KernelizedAttention, SoftmaxAttention
from oscar.attention.multi_head import MultiHeadAttention
from oscar.commands.console import output

FEATURES = 32
MANY = cyclopts.Parameter(consume_multiple=True)


@dataclass(frozen=True)
class Variant:
    """An attention to train with: the softmax if there is no feature map."""

    name: str
    feature_map: str | None
    relative: bool

    def attention(self, rpe: str | None, seed: int) -> MultiHeadAttention:
        """Build a layer's attention."""
        if self.feature_map is None:
            return SoftmaxAttention(WIDTH, HEADS, rpe=rpe)
        return KernelizedAttention(
            WIDTH,
            HEADS,
            feature_map=self.feature_map,
            n_features=FEATURES,
            rpe=rpe,
            seed=seed,
        )


VARIANTS = (
    Variant("softmax + RPE", None, True),
    Variant("FAVOR+", "favor+", False),
    Variant("FAVOR+ + RPE", "favor+", True),
    Variant("NPRF", "nprf", False),
    Variant("NPRF + RPE", "nprf", True),
)


def train(task: Task, variant: Variant, rate: float, seed: int, steps: int) -> Run:
    """Train an encoder from scratch."""
    torch.manual_seed(seed)
    rpe = task.rpe if variant.relative else None
    encoder = Encoder(task.words, lambda layer: variant.attention(rpe, LAYERS * seed + layer))
    return fit(encoder, task, variant.name, rate, seed, steps)


def table_of(runs: Sequence[Run]) -> Table:
    """Give one row a run."""
    table = Table(title="Training from scratch", title_justify="left")
    for name in ("task", "attention", "rate", "seed"):
        table.add_column(name)
    for name in ("accuracy", "loss", "largest gradient", "spikes", "diverged", "ms/step"):
        table.add_column(name, justify="right")
    for run in runs:
        table.add_row(
            run.task,
            run.variant,
            f"{run.rate:g}",
            str(run.seed),
            f"{run.accuracy:.3f}",
            f"{run.loss:.3f}",
            f"{max(run.gradient_norms):.1f}",
            str(run.spikes),
            "yes" if run.diverged else "no",
            f"{1000 * run.seconds / len(run.losses):.0f}",
        )
    return table


def main(
    *,
    steps: int = 2000,
    rates: Annotated[list[float], MANY] = [3e-3],  # noqa: B006
    seeds: Annotated[list[int], MANY] = [0],  # noqa: B006
    corpus: Path | None = None,
    json_file: Annotated[Path | None, cyclopts.Parameter("--json")] = None,
    plot: Path | None = None,
) -> None:
    """Train every variant on both tasks.

    Args:
        steps: of each training.
        rates: learning rates after the warm-up.
        seeds: of weights, features and batches.
        corpus: what to take the code from; default: the examples, lowered anew.
        json_file: write all figures here.
        plot: draw the losses as an SVG.
    """
    torch.set_num_threads(1)
    console, runs = output(), []
    tasks: list[Task] = [Copy(), MaskedCode.of(corpus)]
    for rate, task, seed, variant in product(rates, tasks, seeds, VARIANTS):
        runs.append(train(task, variant, rate, seed, steps))
        last = runs[-1]
        console.print(f"{last.task}, {last.variant}, {rate:g}: accuracy {last.accuracy:.3f}")
        if json_file is not None:
            text = json.dumps([asdict(run) for run in runs], indent=1)
            json_file.write_text(text + "\n", encoding="utf-8")
    console.print(table_of(runs))
    if plot is not None:
        draw_curves(plot, runs)


if __name__ == "__main__":
    cyclopts.run(main)
