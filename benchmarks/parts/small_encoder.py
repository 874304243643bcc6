"""A small encoder, how it is trained, and what is noted meanwhile."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks.parts.training_tasks import IGNORED, LENGTH, Task
from oscar import OscarConfig
from oscar.attention.multi_head import MultiHeadAttention
from oscar.layers import TransformerLayer
from oscar.packing import Packing

WIDTH, HEADS, LAYERS, BATCH = 64, 2, 2, 2
HELD_OUT_BATCHES = 16


class Encoder(nn.Module):
    """Words and places in, scores of words out.

    Args:
        words: size of the vocabulary.
        attention: gives the attention of each layer.
    """

    def __init__(self, words: int, attention: Callable[[int], MultiHeadAttention]) -> None:
        super().__init__()
        config = OscarConfig.preset("tiny", hidden_size=WIDTH, heads=HEADS, ffn_size=2 * WIDTH)
        self.words = nn.Embedding(words, WIDTH)
        self.places = nn.Parameter(torch.randn(LENGTH, WIDTH) / 10)
        self.layers = nn.ModuleList(
            TransformerLayer(attention(layer), config) for layer in range(LAYERS)
        )
        self.output = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, words))

    def forward(self, inputs: Tensor) -> Tensor:
        """Give scores (batch, LENGTH, words)."""
        packing = Packing.of([LENGTH] * len(inputs))
        x = (self.words(inputs) + self.places).flatten(0, 1)
        for layer in self.layers:
            x = layer(x, packing)
        scores: Tensor = self.output(x).unflatten(0, inputs.shape)
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


def fit(model: Encoder, task: Task, variant: str, rate: float, seed: int, steps: int) -> Run:
    """Train an encoder for `steps` steps and test it on held-out batches.

    Adam with a warm-up of a twentieth of the steps and no clipping of gradients.
    """
    generator = torch.Generator().manual_seed(seed)
    optimiser = torch.optim.Adam(model.parameters(), lr=rate)
    warm_up = max(1, steps // 20)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda s: min(1, (s + 1) / warm_up))
    run, begun = Run(task.name, variant, rate, seed), time.perf_counter()
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
