"""Train small encoders from scratch with softmax and kernelised attention, and compare.

    python -m benchmarks.attention_training [--steps N] [--rates R ...] [--seeds S ...]
        [--json FILE] [--plot FILE]

Two layers of width 64 over 256 words, learned absolute positions, no gradient clipping, Adam
with a warm-up of a twentieth of the steps. All variants see the same batches.
"""

import argparse
import json
import math
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import product
from pathlib import Path

import torch
from rich.console import Console
from rich.table import Table
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks.training_curves import draw_curves
from benchmarks.training_tasks import IGNORED, LENGTH, Copy, MaskedCode, Task
from ir_pipeline import build_corpus, open_corpus
from oscar import OscarConfig
from oscar.attention import KernelizedAttention, SoftmaxAttention
from oscar.layers import TransformerLayer

WIDTH, HEADS, LAYERS, FEATURES, BATCH = 64, 2, 2, 32, 4
HELD_OUT_BATCHES = 16


@dataclass(frozen=True)
class Variant:
    """An attention to train with: the softmax if there is no feature map."""

    name: str
    feature_map: str | None
    relative: bool

    def attention(self, rpe: str, seed: int) -> nn.Module:
        """Build a layer's attention; `rpe` is the encoding if this variant has one."""
        chosen = rpe if self.relative else None
        if self.feature_map is None:
            return SoftmaxAttention(WIDTH, HEADS, rpe=chosen)
        return KernelizedAttention(
            WIDTH,
            HEADS,
            feature_map=self.feature_map,
            n_features=FEATURES,
            rpe=chosen,
            seed=seed,
        )


VARIANTS = (
    Variant("softmax + RPE", None, True),
    Variant("FAVOR+", "favor+", False),
    Variant("FAVOR+ + RPE", "favor+", True),
    Variant("NPRF", "nprf", False),
    Variant("NPRF + RPE", "nprf", True),
)


class Encoder(nn.Module):
    """Words and places in, scores of words out."""

    def __init__(self, task: Task, variant: Variant, seed: int) -> None:
        super().__init__()
        config = OscarConfig.preset("tiny", hidden_size=WIDTH, heads=HEADS, ffn_size=2 * WIDTH)
        self.words = nn.Embedding(task.words, WIDTH)
        self.places = nn.Parameter(torch.randn(LENGTH, WIDTH) / 10)
        self.layers = nn.ModuleList(
            TransformerLayer(variant.attention(task.rpe, LAYERS * seed + layer), config)
            for layer in range(LAYERS)
        )
        self.output = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, task.words))

    def forward(self, inputs: Tensor) -> Tensor:
        """Give scores (batch, LENGTH, words)."""
        x = self.words(inputs) + self.places
        for layer in self.layers:
            x = layer(x, None)
        scores: Tensor = self.output(x)
        return scores


@dataclass
class Run:
    """What one training gave.

    Attributes:
        losses: of each step.
        gradient_norms: of each step, before the update.
        diverged: whether a loss or gradient was no number; the training ended there.
        spikes: steps after the warm-up whose loss was above that of the first step.
        loss: of held-out batches at the end.
        accuracy: of held-out predictions at the end, from 0 to 1.
    """

    task: str
    variant: str
    rate: float
    seed: int
    losses: list[float] = field(default_factory=list)
    gradient_norms: list[float] = field(default_factory=list)
    diverged: bool = False
    spikes: int = 0
    loss: float = math.nan
    accuracy: float = math.nan
    seconds: float = 0.0


def train(task: Task, variant: Variant, rate: float, seed: int, steps: int) -> Run:
    """Train an encoder for `steps` steps and test it on held-out batches."""
    torch.manual_seed(seed)
    model, generator = Encoder(task, variant, seed), torch.Generator().manual_seed(seed)
    optimiser = torch.optim.Adam(model.parameters(), lr=rate)
    warm_up = max(1, steps // 20)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda s: min(1, (s + 1) / warm_up))
    run, begun = Run(task.name, variant.name, rate, seed), time.perf_counter()
    for _ in range(steps):
        inputs, targets = task.batch(BATCH, generator)
        loss = cross_entropy(model(inputs), targets)
        optimiser.zero_grad()
        loss.backward()
        norm = torch.nn.utils.get_total_norm(p.grad for p in model.parameters())
        run.losses.append(loss.item())
        run.gradient_norms.append(norm.item())
        if not math.isfinite(loss.item() + norm.item()):
            run.diverged = True
            break
        optimiser.step()
        schedule.step()
    run.seconds = time.perf_counter() - begun
    run.spikes = sum(loss > run.losses[0] for loss in run.losses[warm_up:])
    run.loss, run.accuracy = held_out(model, task, seed)
    return run


def cross_entropy(scores: Tensor, targets: Tensor) -> Tensor:
    """Give the mean loss of the places where something is to be predicted."""
    return F.cross_entropy(scores.flatten(0, 1), targets.flatten(), ignore_index=IGNORED)


@torch.no_grad()
def held_out(model: Encoder, task: Task, seed: int) -> tuple[float, float]:
    """Give loss and accuracy over held-out batches, the same for all variants."""
    model.eval()
    generator = torch.Generator().manual_seed(1_000_000 + seed)
    batches = [task.batch(BATCH, generator, held_out=True) for _ in range(HELD_OUT_BATCHES)]
    inputs, targets = (torch.cat(parts) for parts in zip(*batches, strict=True))
    scores = torch.cat([model(part) for part in inputs.split(BATCH)])
    asked = targets != IGNORED
    right = scores[asked].argmax(-1) == targets[asked]
    return cross_entropy(scores, targets).item(), right.float().mean().item()


def make_tasks(corpus: Path | None) -> list[Task]:
    """Give the tasks; without a corpus the code is that of examples/, at -O0."""
    if corpus is not None:
        return [Copy(), MaskedCode(open_corpus(corpus).shards)]
    examples = Path(__file__).parents[1] / "examples"
    with tempfile.TemporaryDirectory(prefix="oscar-") as folder:
        made = Path(folder) / "corpus"
        build_corpus([examples], made, views=["O0"])
        return [Copy(), MaskedCode(open_corpus(made).shards)]


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


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--rates", type=float, nargs="+", default=[3e-3], metavar="R")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0], metavar="S")
    parser.add_argument("--corpus", type=Path, help="a corpus to take the code from")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="write the curves as an SVG")
    return parser.parse_args()


def main() -> None:
    chosen = arguments()
    torch.set_num_threads(1)
    console, runs = Console(width=None if sys.stdout.isatty() else 120), []
    cases = product(make_tasks(chosen.corpus), chosen.rates, chosen.seeds, VARIANTS)
    for task, rate, seed, variant in cases:
        runs.append(train(task, variant, rate, seed, chosen.steps))
        last = runs[-1]
        console.print(f"{last.task}, {last.variant}, {rate:g}: accuracy {last.accuracy:.3f}")
    console.print(table_of(runs))
    if chosen.json:
        text = json.dumps([asdict(run) for run in runs], indent=1)
        chosen.json.write_text(text + "\n", encoding="utf-8")
    if chosen.plot:
        draw_curves(chosen.plot, runs)


if __name__ == "__main__":
    main()
