from finetune.tasks.representations import (
    UNTRAINED,
    baseline_representations,
    model_representations,
)
from oscar import OscarModel


def test_what_learns_is_judged_where_there_is_something_to_learn_from(collection):
    without = [answer.name for answer in baseline_representations(collection, None)]
    learned = [answer.name for answer in baseline_representations(collection, collection)]
    assert set(without) < set(learned)
    assert all("LDA" in name for name in set(learned) - set(without))


def test_models_come_after_one_that_has_learned_nothing(collection, model_folder):
    models = {"run": OscarModel.from_pretrained(model_folder)}
    answers = list(model_representations(collection, models))
    assert [answer.name for answer in answers] == [UNTRAINED, "run"]
    assert all(answer.programs == collection.lowered for answer in answers)
    assert list(model_representations(collection, {})) == []
