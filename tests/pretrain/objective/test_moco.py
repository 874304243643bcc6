import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from pretrain.config import TrainingConfig
from pretrain.data.batches import Batches, PairBatch
from pretrain.engine.engine import gathered
from pretrain.objective.moco import (
    UNFILLED,
    KeyQueue,
    MomentumContrast,
    MomentumEncoder,
    contrastive_logits,
    momentum_at,
)
from pretrain.training.trainer import Trainer
from pretrain.training.training import build_training

EAST, NORTH, WEST = (torch.tensor([x, y]) for x, y in ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)))


def queue_of(*entries: tuple[torch.Tensor, int], size: int = 4) -> KeyQueue:
    queue = KeyQueue(size, 2)
    for key, number in entries:
        queue.push(key[None], torch.tensor([number]))
    return queue


def loss(query, key, number, queue, temperature=0.5):
    logits = contrastive_logits(query[None], key[None], torch.tensor([number]), queue, temperature)
    return -logits.log_softmax(1)[0, 0].item()


def test_hand_worked_loss():
    queue = queue_of((NORTH, 1), (WEST, 2))
    # Similarities over 0.5: own key 2, north 0, west -2; two of four slots are unfilled.
    expected = -math.log(math.exp(2) / (math.exp(2) + math.exp(0) + math.exp(-2)))
    assert loss(EAST, EAST, 0, queue) == pytest.approx(expected, abs=1e-6)


def test_an_empty_queue_holds_no_negatives():
    assert loss(EAST, NORTH, 0, queue_of()) == 0


def test_keys_of_the_same_class_are_no_negatives():
    queue = queue_of((EAST, 0), (EAST, 0), (NORTH, 1))
    expected = math.log(1 + math.exp(-2))
    assert loss(EAST, EAST, 0, queue) == pytest.approx(expected, abs=1e-6)


def test_a_key_that_is_not_finite_fills_no_slot_and_spoils_no_gradient():
    queue = queue_of((torch.tensor([math.nan, 0.0]), 5), (NORTH, 1))
    assert queue.classes.tolist() == [UNFILLED, 1, UNFILLED, UNFILLED]
    query = EAST.clone()[None].requires_grad_()
    logits = contrastive_logits(query, EAST[None], torch.tensor([0]), queue, 0.5)
    logits.logsumexp(1).backward()
    assert query.grad.isfinite().all()


@given(
    size=st.integers(1, 7),
    pushes=st.lists(st.integers(1, 10), max_size=8),
)
def test_the_queue_keeps_the_last_keys_whatever_the_batch_sizes(size, pushes):
    queue, pushed = KeyQueue(size, 1), 0
    for n in pushes:
        numbers = torch.arange(pushed, pushed + n)
        queue.push(numbers[:, None].float(), numbers)
        pushed += n
    last = set(range(max(0, pushed - size), pushed))
    assert set(queue.classes.tolist()) - {UNFILLED} == last
    assert (queue.classes == UNFILLED).sum() == size - len(last)
    filled = queue.classes != UNFILLED
    assert torch.equal(queue.keys[filled, 0].long(), queue.classes[filled])


def test_the_momentum_encoder_is_the_exact_moving_average_of_weights_only():
    encoder = nn.BatchNorm1d(1)
    nn.init.constant_(encoder.weight, 1.0)
    momentum = MomentumEncoder(encoder)
    with torch.no_grad():
        encoder.weight.fill_(2.0)
        encoder.running_mean.fill_(5.0)
    momentum.update(encoder, 0.75)
    assert momentum.encoder.weight.item() == 0.75 * 1 + 0.25 * 2
    assert momentum.encoder.running_mean.item() == 5.0
    with torch.no_grad():
        encoder.weight.fill_(3.0)
    momentum.update(encoder, 0.75)
    assert momentum.encoder.weight.item() == 0.75 * 1.25 + 0.25 * 3
    assert not momentum.encoder.training
    assert not any(weight.requires_grad for weight in momentum.encoder.parameters())


def test_the_momentum_rises_to_its_ceiling():
    rising = [momentum_at(step, 0.999) for step in range(20_000)]
    assert rising[0] == 0.1
    assert rising == sorted(rising)
    assert rising[-1] == 0.999


class Rows(nn.Linear):
    """An encoder of vectors (batch, 3) in place of functions."""

    dim = 4

    def __init__(self) -> None:
        torch.manual_seed(0)
        super().__init__(3, 4)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        return nn.functional.normalize(super().forward(rows), dim=-1)


def contrast_of(encoder: Rows) -> MomentumContrast:
    device = torch.device("cpu")
    return MomentumContrast(encoder, size=9, temperature=0.1, ceiling=0.5, device=device)


def pairs(*numbers: int) -> PairBatch:
    """Functions whose class and place in the step are these numbers."""
    rows = torch.eye(9)[list(numbers), :3] + 1
    places = torch.tensor(numbers)
    return PairBatch(None, rows, places, places, torch.ones(3))


def test_micro_batches_add_up_to_the_loss_of_the_step():
    encoder = Rows()
    queries = encoder(torch.randn(5, 3))
    results = []
    for split in ([[0, 1, 2, 3, 4]], [[3, 1], [0], [4, 2]]):
        contrast, batches = contrast_of(encoder), [pairs(*part) for part in split]
        contrast.begin(batches, torch.arange(5))
        told = [contrast.tell(queries[batch.places], batch) for batch in batches]
        results.append(
            (sum(part.loss for part in told).item(), sum(part.right for part in told).item())
        )
        assert contrast.queue.classes.tolist() == [0, 1, 2, 3, 4] + [UNFILLED] * 4
    assert results[0] == pytest.approx(results[1], rel=1e-5)


def test_following_and_its_state():
    encoder, copy = Rows(), contrast_of(Rows())
    contrast = contrast_of(encoder)
    for step in range(2):
        contrast.begin([pairs(*range(7))], torch.arange(7))
        with torch.no_grad():
            encoder.weight += 1
        contrast.follow(encoder, step)
    # Decay 0.1, then 2 / 11: the average of the weights after the steps and at the start.
    wanted = encoder.weight - 2 / 11 * (1 + 0.1)
    assert torch.allclose(contrast.momentum.encoder.weight, wanted, atol=1e-6)
    copy.load_state_dict({name: part.clone() for name, part in contrast.state_dict().items()})
    for each in (contrast, copy):
        each.begin([pairs(0)], torch.tensor([8]))
    assert torch.equal(copy.queue.keys, contrast.queue.keys)
    assert copy.queue.classes.tolist() == contrast.queue.classes.tolist()


def test_weights_shared_out_by_zero_3_are_followed_whole(world, small, melodies, tmp_path):
    config = TrainingConfig(batch_size=4, zero_stage=3, validation_share=0.0, precision="fp32")
    training = build_training(small, config, world)
    encoder = training.engine.module.encoder
    assert all(weight.numel() == 0 for weight in encoder.parameters())
    before = [weight.clone() for weight in training.contrast.momentum.encoder.parameters()]
    Trainer(training, config, world, tmp_path).step(Batches(melodies, small, config)[0])
    after = list(training.contrast.momentum.encoder.parameters())
    with gathered(encoder.parameters()):
        for old, new, followed in zip(before, after, encoder.parameters(), strict=True):
            assert new.shape == old.shape
            assert torch.allclose(new, 0.1 * old + 0.9 * followed, atol=1e-7)
            assert not torch.equal(new, old)
