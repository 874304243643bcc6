import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from pretrain.moco import (
    UNFILLED,
    KeyQueue,
    MomentumEncoder,
    contrastive_logits,
    contrastive_loss,
    gather,
    momentum_at,
)

EAST, NORTH, WEST = (torch.tensor([x, y]) for x, y in ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)))


def queue_of(*entries: tuple[torch.Tensor, int], size: int = 4) -> KeyQueue:
    queue = KeyQueue(size, 2)
    for key, number in entries:
        queue.push(key[None], torch.tensor([number]))
    return queue


def loss(query, key, number, queue, temperature=0.5):
    logits = contrastive_logits(query[None], key[None], torch.tensor([number]), queue, temperature)
    return contrastive_loss(logits).item()


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
    contrastive_loss(
        contrastive_logits(query, EAST[None], torch.tensor([0]), queue, 0.5)
    ).backward()
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


def test_a_queue_comes_back_from_its_state():
    queue = queue_of((EAST, 3), (WEST, 4), size=3)
    copy = KeyQueue(3, 2)
    copy.load_state_dict(queue.state_dict())
    for each in (queue, copy):
        each.push(torch.stack([NORTH, NORTH]), torch.tensor([8, 9]))
    assert torch.equal(queue.keys, copy.keys)
    assert copy.classes.tolist() == queue.classes.tolist() == [9, 4, 8]


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


def test_gathering_needs_no_process_group():
    rows = torch.arange(3)
    assert torch.equal(gather(rows), rows)
