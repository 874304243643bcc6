"""How near random features come to a trained softmax attention, by their number.

    python -m benchmarks.attention_approximation [--steps N] [--json FILE] [--plot FILE]

A small encoder is trained on masked tokens of code with softmax attention and T5 positions. Then
its attention is replaced, weights kept: the error is that of the heads' outputs, relative to the
softmax's, root mean square over the layers and draws. The table shows what held-out loss the
encoder has with FAVOR+ features as copied, and after fine-tuning with them.
"""

import json
from copy import deepcopy
from pathlib import Path
from typing import Annotated

import cyclopts
import torch
from matplotlib.figure import Figure
from rich.table import Table
from torch import Tensor

from benchmarks.parts.small_encoder import BATCH, HEADS, WIDTH, Encoder, fit, held_out
from benchmarks.parts.training_tasks import MaskedCode
from finetune.evaluation.picture import save_svg
from oscar.attention import KernelizedAttention, SoftmaxAttention, make_feature_map
from oscar.commands.console import output

RATE, TUNING_STEPS, TUNING_RATE = 3e-3, 200, 1e-3
SIZES = (8, 16, 32, 64, 128, 256, 512, 1024)
COPIED = (16, 64, 256)
DRAWS = 4
MAPS = {
    "trigonometric": ("trig", {}),
    "FAVOR+, independent": ("favor+", {"directions": "independent"}),
    "FAVOR+, orthogonal": ("favor+", {}),
    "FAVOR+, Hadamard": ("favor+", {"directions": "hadamard"}),
    "FAVOR+, orthogonal, norms √d": ("favor+", {"norms": "sqrt"}),
    "hyperbolic": ("hyperbolic", {}),
}

Inputs = list[tuple[SoftmaxAttention, Tensor]]
Losses = dict[str, float | str]


def attention_inputs(encoder: Encoder, task: MaskedCode) -> Inputs:
    """Give each layer's attention with what it reads on held-out code."""
    read: list[Tensor] = []
    handles = [
        layer.attention_norm.register_forward_hook(lambda _, __, normed: read.append(normed))
        for layer in encoder.layers
    ]
    with torch.no_grad():
        encoder(task.batch(BATCH, torch.Generator().manual_seed(7), held_out=True)[0])
    for handle in handles:
        handle.remove()
    sequences = (rows.unflatten(0, (BATCH, -1)) for rows in read)
    return [(layer.attention, x) for layer, x in zip(encoder.layers, sequences, strict=True)]


@torch.no_grad()
def error(inputs: Inputs, name: str, options: dict[str, str], n_features: int) -> float:
    """Give the relative error of the attended values with this feature map."""
    squares = []
    for softmax, x in inputs:
        exact = softmax(x) - softmax.output.bias
        for seed in range(DRAWS):
            phi = make_feature_map(name, softmax.key_dim, n_features, seed, **options)
            layer = KernelizedAttention.from_softmax(softmax, feature_map=phi)
            estimate = layer(x) - softmax.output.bias
            squares.append((estimate - exact).square().sum() / exact.square().sum())
    return torch.stack(squares).mean().sqrt().item()


def with_features(encoder: Encoder, n_features: int) -> Encoder:
    """Give a copy of the encoder with FAVOR+ in place of the softmax."""
    copy = deepcopy(encoder)
    for seed, layer in enumerate(copy.layers):
        layer.attention = KernelizedAttention.from_softmax(
            layer.attention, n_features=n_features, seed=seed
        )
    return copy


def copied_losses(encoder: Encoder, task: MaskedCode) -> list[Losses]:
    """Give held-out losses of copies with FAVOR+ features, before and after fine-tuning."""
    rows: list[Losses] = []
    for n_features in COPIED:
        copy = with_features(encoder, n_features)
        before, _ = held_out(copy, task, seed=0)
        after = fit(copy, task, "FAVOR+", TUNING_RATE, seed=1, steps=TUNING_STEPS)
        losses = {"copied": before, "fine_tuned": after.loss}
        rows.append({"attention": "FAVOR+", "n_features": n_features, **losses})
    return rows


def draw(path: Path, errors: dict[str, list[float]]) -> None:
    """Draw error against number of features."""
    figure = Figure(figsize=(6.4, 4), layout="constrained")
    axes = figure.subplots()
    for name, line in errors.items():
        axes.loglog(SIZES, line, marker="o", markersize=3, linewidth=1.2, label=name)
    axes.set_xlabel("features m")
    axes.set_ylabel("relative error of attended values")
    axes.set_ylim(top=2)  # far above, the sines and cosines say nothing
    axes.legend(fontsize=8)
    save_svg(figure, path)


def errors_of(inputs: Inputs) -> dict[str, list[float]]:
    """Give the error of each map for each number of features."""
    return {
        label: [error(inputs, name, options, size) for size in SIZES]
        for label, (name, options) in MAPS.items()
    }


def tables(errors: dict[str, list[float]], losses: list[Losses]) -> list[Table]:
    """Show the errors, and the losses of the softmax and of its copies."""
    of_errors = Table("features", *map(str, SIZES), title="Relative error of attended values")
    for label, line in errors.items():
        of_errors.add_row(label, *(f"{value:.3f}" for value in line))
    of_losses = Table("attention", "m", "as copied", "fine-tuned", title="Held-out loss")
    for row in losses:
        values = (f"{row[name]:.3f}" for name in ("copied", "fine_tuned"))
        of_losses.add_row(str(row["attention"]), str(row.get("n_features", "")), *values)
    return [of_errors, of_losses]


def main(
    *,
    steps: int = 1000,
    corpus: Path | None = None,
    json_file: Annotated[Path | None, cyclopts.Parameter("--json")] = None,
    plot: Path | None = None,
) -> None:
    """Train an encoder with softmax attention, and replace it.

    Args:
        steps: of training.
        corpus: what to take the code from; default: the examples, lowered anew.
        json_file: write the figures here.
        plot: draw the errors as an SVG.
    """
    torch.set_num_threads(1)
    torch.manual_seed(0)
    task = MaskedCode.of(corpus)
    encoder = Encoder(task.words, lambda _: SoftmaxAttention(WIDTH, HEADS, rpe=task.rpe))
    trained = fit(encoder, task, "softmax", RATE, seed=0, steps=steps)
    errors = errors_of(attention_inputs(encoder, task))
    losses = copied_losses(encoder, task)
    tuned = fit(encoder, task, "softmax", TUNING_RATE, seed=1, steps=TUNING_STEPS)
    losses.insert(0, {"attention": "softmax", "copied": trained.loss, "fine_tuned": tuned.loss})
    output().print(*tables(errors, losses), sep="\n")
    if plot is not None:
        draw(plot, errors)
    if json_file is not None:
        figures = {"sizes": SIZES, "errors": errors, "losses": losses}
        json_file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    cyclopts.run(main)
