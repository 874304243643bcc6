import numpy as np
import pytest

from finetune.representation import program_vectors
from finetune.tasks.representations import (
    UNTRAINED,
    baseline_representations,
    load_models,
    model_representations,
    projected_representations,
)


def test_what_learns_is_judged_where_there_is_something_to_learn_from(collection):
    without = [answer.name for answer in baseline_representations(collection, None)]
    learned = [answer.name for answer in baseline_representations(collection, collection)]
    assert set(without) < set(learned)
    assert all("LDA" in name for name in set(learned) - set(without))


def test_models_come_after_one_that_has_learned_nothing(collection, model_folder):
    models = load_models([model_folder])
    answers = list(model_representations(collection, models))
    assert [answer.name for answer in answers] == [UNTRAINED, str(model_folder)]
    assert [answer.model for answer in answers] == [None, str(model_folder)]
    assert all(answer.programs == collection.lowered for answer in answers)
    assert list(model_representations(collection, load_models(None))) == []


def test_several_compositions_are_a_row_each(collection, model_folder):
    models = load_models([model_folder])
    answers = list(model_representations(collection, models, ["mean", "reachable"]))
    names = [f"{name}, {how}" for name in (UNTRAINED, *models) for how in ("mean", "reachable")]
    assert [answer.name for answer in answers] == names
    mean, reachable = (answer.vectors for answer in answers[2:])
    assert reachable == pytest.approx(program_vectors(models[str(model_folder)], collection)[1])
    assert np.abs(mean - reachable).max() > 1e-3


def test_models_are_judged_raw_and_behind_linear_projections(collection, model_folder):
    models = load_models([model_folder])
    without = list(projected_representations(collection, None, models))
    answers = list(projected_representations(collection, collection, models))
    kinds = ("", ", whitened", ", LDA")
    names = [f"{name}{kind}" for name in (UNTRAINED, *models) for kind in kinds]
    assert [answer.name for answer in answers] == names
    assert [a.name for a in without] == [name for name in names if not name.endswith("LDA")]
    raw, white, learned = (answer.vectors for answer in answers[3:])
    assert raw.shape == (6, models[str(model_folder)].config.hidden_size)
    assert np.cov(white.T) == pytest.approx(np.eye(white.shape[1]), abs=1e-6)
    assert learned.shape == (6, 1)
    assert all(answer.programs == collection.lowered for answer in answers)
