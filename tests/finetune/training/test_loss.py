import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn.functional import cross_entropy, normalize

from finetune.training.loss import contrastive_loss, label_loss, pair_loss


def test_worked_by_hand():
    # Row 0: its positives are columns 1 and 2; column 0 is not compared with.
    similarities = torch.tensor([[9.0, 1.0, 0.0, -1.0]])
    positive = torch.tensor([[False, True, True, False]])
    allowed = torch.tensor([[False, True, True, True]])
    total = math.log(math.exp(2) + 1 + math.exp(-2))
    expected = ((total - 2) + (total - 0)) / 2
    assert contrastive_loss(similarities, positive, allowed, 0.5) == pytest.approx(expected)


def test_with_one_positive_it_is_cross_entropy():
    torch.manual_seed(0)
    similarities = torch.randn(5, 5)
    everything = torch.ones(5, 5, dtype=torch.bool)
    ours = contrastive_loss(similarities, torch.eye(5, dtype=torch.bool), everything, 0.1)
    torch.testing.assert_close(ours, cross_entropy(similarities / 0.1, torch.arange(5)))


def test_a_label_that_stands_alone_is_no_question_and_no_nan():
    vectors = normalize(torch.randn(4, 3), dim=1).requires_grad_()
    labels = torch.tensor([0, 0, 1, 2])
    loss = label_loss(vectors, labels, 0.1)
    loss.backward()
    assert torch.isfinite(vectors.grad).all()
    alone = label_loss(vectors, torch.arange(4), 0.1)
    alone.backward()
    assert alone == 0


@given(st.integers(0, 99), st.permutations(range(6)))
def test_the_order_of_items_does_not_matter(seed, order):
    vectors = normalize(torch.randn(6, 4, generator=torch.Generator().manual_seed(seed)), dim=1)
    labels = torch.tensor([0, 0, 1, 1, 1, 2])
    shuffled = label_loss(vectors[order], labels[order], 0.2)
    torch.testing.assert_close(label_loss(vectors, labels, 0.2), shuffled)


def test_learning_brings_labels_together():
    torch.manual_seed(0)
    vectors = torch.randn(12, 8, requires_grad=True)
    labels = torch.arange(12) % 3
    optimiser = torch.optim.Adam([vectors], 0.1)
    for _ in range(60):
        optimiser.zero_grad()
        label_loss(normalize(vectors, dim=1), labels, 0.1).backward()
        optimiser.step()
    unit = normalize(vectors, dim=1).detach()
    same = labels[:, None] == labels
    assert (unit @ unit.T)[same].min() > (unit @ unit.T)[~same].max()


def test_pairs_of_one_group_are_no_negatives():
    torch.manual_seed(0)
    first, second = (normalize(torch.randn(3, 4), dim=1) for _ in range(2))
    second[1] = second[0]
    apart, together = (
        pair_loss(first, second, torch.tensor(g), 0.1) for g in ([0, 1, 2], [0, 0, 2])
    )
    assert together < apart
    mirrored = pair_loss(second, first, torch.tensor([0, 0, 2]), 0.1)
    torch.testing.assert_close(together, mirrored)
