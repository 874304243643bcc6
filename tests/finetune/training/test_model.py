import numpy as np
import pytest
import torch

from finetune.representation import program_vectors
from finetune.training.items import Items, collate_items
from finetune.training.model import TuningModel
from oscar import OscarModel


@pytest.fixture
def model(model_folder):
    return OscarModel.from_pretrained(model_folder)


def test_items_have_the_vectors_that_evaluation_gives_them(collection, encoded, model):
    items = Items.of_programs(collection)
    expected = program_vectors(model, collection, ["O0"])[1]
    batch = collate_items([views[0] for views in items.views], [0] * 6, encoded, model.config)
    with torch.no_grad():
        vectors = TuningModel(model.eval(), 0.1).vectors(batch)
    assert vectors.numpy() == pytest.approx(expected, abs=1e-5)


def test_a_few_steps_tell_the_labels_apart(collection, encoded, model):
    items = Items.of_programs(collection)
    labels = [["sum", "max"].index(label) for label in items.labels]
    batch = collate_items([views[0] for views in items.views], labels, encoded, model.config)
    tuning = TuningModel(model.train(), 0.1)
    optimiser = torch.optim.AdamW(tuning.parameters(), 1e-3)
    losses = []
    for _ in range(25):
        optimiser.zero_grad()
        loss = tuning(batch)
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < 0.8 < losses[0]
    vectors = tuning.vectors(batch).detach().numpy()
    near, far = vectors @ vectors.T, np.equal.outer(labels, labels)
    assert near[far].min() > near[~far].max()
