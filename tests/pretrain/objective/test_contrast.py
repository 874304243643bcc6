import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import nn

from pretrain.config import CHOICES
from pretrain.data.batches import PairBatch
from pretrain.objective.contrast import InBatchContrast, deal, symmetric_losses

EAST, NORTH, WEST = ([1.0, 0.0], [0.0, 1.0], [-1.0, 0.0])


def test_hand_worked_symmetric_loss():
    queries, keys = torch.tensor([EAST, NORTH]), torch.tensor([EAST, WEST])
    losses, right = symmetric_losses(queries, keys, torch.tensor([0, 1]), 0.5)
    # Similarities over 0.5, a row a query: (2, -2) and (0, 0).
    told = (-math.log(1 / (1 + math.exp(-4))), math.log(2))
    back = (-math.log(math.exp(2) / (math.exp(2) + 1)), -math.log(1 / (1 + math.exp(-2))))
    assert losses.tolist() == pytest.approx([(a + b) / 2 for a, b in zip(told, back, strict=True)])
    assert right.tolist() == [True, False]


def test_functions_of_one_class_are_not_pushed_apart():
    vectors = torch.tensor([EAST, EAST, NORTH])
    losses, _ = symmetric_losses(vectors, vectors, torch.tensor([4, 4, 5]), 1.0)
    alone, _ = symmetric_losses(vectors[1:], vectors[1:], torch.tensor([4, 5]), 1.0)
    assert losses[0].item() == pytest.approx(alone[0].item())
    assert losses[1].item() == pytest.approx(alone[0].item())


class Rows(nn.Module):
    """An encoder of vectors (batch, 3) in place of functions."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.linear = nn.Linear(3, 4)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        return nn.functional.normalize(self.linear(rows), dim=-1)


class Whole:
    """A masked view with nothing masked."""

    def __init__(self, batch: torch.Tensor) -> None:
        self.batch = batch


@pytest.mark.parametrize("sizes", [[6], [3, 3], [1, 4, 1]])
def test_micro_batches_add_up_to_the_loss_and_the_gradients_of_the_step(sizes):
    torch.manual_seed(1)
    masked, other = torch.randn(2, 6, 3)
    classes = torch.tensor([0, 1, 2, 2, 3, 4])
    places = torch.randperm(6)
    encoder = Rows()
    wanted, hits = symmetric_losses(encoder(masked), encoder(other), classes, 0.2)
    wanted.sum().backward()
    gradients = [weight.grad.clone() for weight in encoder.parameters()]
    encoder.zero_grad()
    contrast = InBatchContrast(encoder, 0.2)
    batches = [
        PairBatch(Whole(masked[part]), other[part], classes[part], part, torch.ones(3))
        for part in places.split(sizes)
    ]
    contrast.begin(batches, classes)
    told = [contrast.tell(encoder(batch.query.batch), batch) for batch in batches]
    for part in told:
        part.loss.backward()
    assert sum(part.loss.item() for part in told) == pytest.approx(wanted.sum().item(), rel=1e-5)
    assert sum(part.right.item() for part in told) == hits.sum()
    for weight, gradient in zip(encoder.parameters(), gradients, strict=True):
        assert torch.allclose(weight.grad, gradient, atol=1e-6)


def test_dealing_puts_every_row_in_its_place():
    rows = [torch.full((2, 3), 7.0), torch.full((1, 3), 8.0)]
    dealt = deal(rows, [torch.tensor([3, 0]), torch.tensor([1])], 4)
    assert dealt[:, 0].tolist() == [7, 8, 0, 7]


@pytest.mark.slow
@pytest.mark.parametrize("contrast", CHOICES["contrast"])
def test_two_ranks_have_the_gradients_of_one_with_all_functions(contrast, tmp_path):
    script = Path(__file__).with_name("gradients.py")
    results = []
    for size in (1, 2):
        target = tmp_path / f"{size}.pt"
        launch = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
        command = [*launch, f"--nproc-per-node={size}", str(script), contrast, str(target)]
        root = Path(__file__).parents[3]
        environment = {**os.environ, "PYTHONPATH": str(root), "OMP_NUM_THREADS": "1"}
        done = subprocess.run(command, cwd=root, env=environment, stderr=subprocess.PIPE, text=True)
        assert done.returncode == 0, done.stderr
        results.append(torch.load(target))
    for alone, together in zip(*results, strict=True):
        assert torch.allclose(alone, together, atol=1e-5, rtol=1e-4)
