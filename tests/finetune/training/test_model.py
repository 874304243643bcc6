import numpy as np
import pytest
import torch

from finetune.representation import program_vectors
from finetune.training.config import TuningConfig
from finetune.training.items import Items, collate_items
from finetune.training.model import TuningModel, tuning_model
from oscar import OscarModel


@pytest.fixture
def model(model_folder):
    return OscarModel.from_pretrained(model_folder)


def test_items_have_the_vectors_that_evaluation_gives_them(collection, encoded, model):
    items = Items.of_programs(collection)
    expected = program_vectors(model, collection, ["O0"])[1]
    batch = collate_items([views[0] for views in items.views], range(6), encoded)
    with torch.no_grad():
        vectors = TuningModel(model.eval(), 0.1).vectors(batch)
    assert vectors.numpy() == pytest.approx(expected, abs=1e-5)


@pytest.mark.slow
def test_a_few_steps_tell_the_labels_apart(collection, encoded, model):
    items = Items.of_programs(collection)
    labels = [["sum", "max"].index(label) for label in items.labels]
    batch = collate_items([views[0] for views in items.views], range(6), encoded)
    tuning = TuningModel(model.train(), 0.1)
    optimiser = torch.optim.AdamW(tuning.parameters(), 1e-3)
    losses = []
    for _ in range(25):
        optimiser.zero_grad()
        loss = tuning(batch, torch.tensor(labels))
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < 0.8 < losses[0]
    vectors = tuning.vectors(batch).detach().numpy()
    near, far = vectors @ vectors.T, np.equal.outer(labels, labels)
    assert near[far].min() > near[~far].max()


@pytest.mark.parametrize(("proxy_weight", "atol"), [(0.0, 1e-9), (0.5, 1e-7)])
def test_gradients_of_the_batches_of_a_step_add_up_to_those_of_the_step(
    collection, encoded, model, proxy_weight, atol
):
    items = Items.of_programs(collection)
    labels = torch.tensor([["sum", "max"].index(label) for label in items.labels])
    views = [found[0] for found in items.views]
    options = TuningConfig(temperature=0.1, proxy_weight=proxy_weight)
    tuning = tuning_model(model.eval(), 2, options).double()

    def part(places):
        return collate_items([views[i] for i in places], places, encoded)

    whole = tuning(part(range(6)), labels)
    expected = torch.autograd.grad(whole, list(tuning.parameters()), allow_unused=True)
    with torch.no_grad():
        known = tuning.vectors(part(range(6)))
    sums = [0.0] * len(expected)
    for places in ([0, 3, 5], [1], [2, 4]):
        loss = tuning(part(places), labels, known)
        torch.testing.assert_close(loss, whole)
        found = torch.autograd.grad(loss, list(tuning.parameters()), allow_unused=True)
        sums = [a if b is None else a + b for a, b in zip(sums, found, strict=True)]
    for ours, theirs in zip(sums, expected, strict=True):
        if theirs is not None:
            torch.testing.assert_close(ours, theirs, rtol=1e3 * atol, atol=atol)
