import numpy as np
import pytest
import torch

from finetune.training.classifier import Classifier, ClassScore
from finetune.training.items import Items, collate_items
from finetune.training.judging import item_vectors
from oscar import OscarModel


@pytest.fixture
def items(collection):
    return Items.of_programs(collection)


@pytest.fixture
def classifier(model_folder):
    torch.manual_seed(0)
    return Classifier(OscarModel.from_pretrained(model_folder).eval(), ["max", "sum"], 0.5)


@pytest.fixture
def part(items, encoded):
    """Builds the batch of some of the items, each in its first view."""
    views = [found[0] for found in items.views]
    return lambda places: collate_items([views[i] for i in places], places, encoded)


def numbers(items, classifier):
    return torch.tensor([classifier.classes.tolist().index(label) for label in items.labels])


def test_parts_of_a_step_add_up_to_its_mean_cross_entropy(items, classifier, part):
    labels = numbers(items, classifier)
    with torch.no_grad():
        outputs = classifier.head(classifier.vectors(part(range(6)))) / 0.5
        expected = -outputs.log_softmax(1)[torch.arange(6), labels].mean()
        shares = [classifier(part(places), labels) for places in ([0, 3, 5], [1], [2, 4])]
    torch.testing.assert_close(sum(shares), expected)
    torch.testing.assert_close(classifier(part(range(6)), labels), expected)


def test_gradients_of_the_parts_add_up_also_those_of_the_layer(items, classifier, part):
    labels = numbers(items, classifier)
    classifier(part(range(6)), labels).backward()
    whole = {name: weight.grad for name, weight in classifier.named_parameters()}
    classifier.zero_grad()
    for places in ([0, 3, 5], [1], [2, 4]):
        classifier(part(places), labels).backward()
    assert whole["head.weight"].abs().max() > 0
    for name, weight in classifier.named_parameters():
        if weight.grad is not None:
            torch.testing.assert_close(weight.grad, whole[name], rtol=1e-4, atol=1e-6)


def test_the_score_counts_what_cannot_be_read_as_not_found(items, encoded, classifier):
    called = classifier.called(item_vectors(classifier.encoder, items, encoded))
    right = (called == np.array(items.labels)).sum()
    assert ClassScore(items, encoded)(classifier) == right / 6
    assert ClassScore(items, encoded, lost=2)(classifier) == right / 8


def test_a_class_that_was_not_learned_is_not_found(items, encoded, classifier):
    strange = Items(["unheard-of"] * len(items), items.views)
    assert ClassScore(strange, encoded)(classifier) == 0


@pytest.mark.slow
def test_a_few_steps_tell_the_classes_apart(items, encoded, classifier, part):
    labels = numbers(items, classifier)
    optimiser = torch.optim.AdamW(classifier.train().parameters(), 1e-3)
    for _ in range(25):
        optimiser.zero_grad()
        loss = classifier(part(range(6)), labels)
        loss.backward()
        optimiser.step()
    assert loss < 0.3
    assert ClassScore(items, encoded)(classifier) == 1
