"""How near random features come to a trained softmax attention, by their number.

    python -m benchmarks.attention_approximation [--steps N] [--json FILE] [--plot FILE]

A small encoder is trained on masked tokens of code with softmax attention and T5 positions. Then
its attention is replaced, weights kept: the error is that of the heads' outputs, relative to the
softmax's, root mean square over the layers and draws. The table shows what held-out loss the
encoder has with FAVOR+ features as copied, and after fine-tuning with them.
"""

import argparse
import json
from copy import deepcopy
from pathlib import Path

import torch
from matplotlib.figure import Figure
from rich.table import Table
from torch import Tensor

from benchmarks.parts.small_encoder import BATCH, HEADS, WIDTH, Encoder, fit, held_out
from benchmarks.parts.training_curves import save_svg
from benchmarks.parts.training_tasks import MaskedCode
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


def attention_inputs(encoder: Encoder, task: MaskedCode) -> Inputs:
    """Give each layer's attention with what it reads on held-out code."""
    noted: Inputs = []
    handles = [
        layer.attention.register_forward_pre_hook(lambda each, args: noted.append((each, args[0])))
        for layer in encoder.layers
    ]
    with torch.no_grad():
        encoder(task.batch(BATCH, torch.Generator().manual_seed(7), held_out=True)[0])
    for handle in handles:
        handle.remove()
    return noted


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


def copied_losses(encoder: Encoder, task: MaskedCode) -> list[dict[str, float]]:
    """Give held-out losses of copies with FAVOR+ features, before and after fine-tuning."""
    rows = []
    for n_features in COPIED:
        copy = with_features(encoder, n_features)
        before, _ = held_out(copy, task, seed=0)
        after = fit(copy, task, "FAVOR+", TUNING_RATE, seed=1, steps=TUNING_STEPS)
        rows.append({"n_features": n_features, "copied": before, "fine_tuned": after.loss})
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


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=1000, help="steps of training")
    parser.add_argument("--corpus", type=Path, help="a corpus to take the code from")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the errors as an SVG")
    return parser.parse_args()


def main() -> None:
    chosen = arguments()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    task = MaskedCode.of(chosen.corpus)
    encoder = Encoder(task.words, lambda _: SoftmaxAttention(WIDTH, HEADS, rpe=task.rpe))
    trained = fit(encoder, task, "softmax", RATE, seed=0, steps=chosen.steps)
    inputs = attention_inputs(encoder, task)
    errors = {
        label: [error(inputs, name, options, size) for size in SIZES]
        for label, (name, options) in MAPS.items()
    }
    losses = copied_losses(encoder, task)
    tuned = fit(encoder, task, "softmax", TUNING_RATE, seed=1, steps=TUNING_STEPS)
    console = output()
    table = Table("features", *map(str, SIZES), title="Relative error of attended values")
    for label, line in errors.items():
        table.add_row(label, *(f"{value:.3f}" for value in line))
    console.print(table)
    table = Table("attention", "m", "as copied", "fine-tuned", title="Held-out loss")
    table.add_row("softmax", "", f"{trained.loss:.3f}", f"{tuned.loss:.3f}")
    for row in losses:
        values = (f"{row[name]:.3f}" for name in ("copied", "fine_tuned"))
        table.add_row("FAVOR+", str(row["n_features"]), *values)
    console.print(table)
    if chosen.plot:
        draw(chosen.plot, errors)
    if chosen.json:
        softmax = {"trained": trained.loss, "fine_tuned": tuned.loss}
        figures = {"sizes": SIZES, "errors": errors, "softmax": softmax, "favor+": losses}
        chosen.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
