from itertools import count

import pytest
import torch
from rich.console import Console

from finetune.training.config import TuningConfig
from finetune.training.items import Items
from finetune.training.model import TuningModel
from finetune.training.sampler import LabelSampler
from finetune.training.steps import Steps
from finetune.training.tuner import Tuner
from oscar import OscarModel
from pretrain.engine.engine import take_step
from pretrain.engine.world import start
from static_analysis import OscarError


@pytest.fixture
def items(collection):
    return Items.of_programs(collection)


@pytest.fixture
def build(items, encoded, model_folder, tmp_path):
    """Builds a tuner, the list in which it notes what it reads, and its model."""

    def build(**options):
        model, world = OscarModel.from_pretrained(model_folder), start()
        config = TuningConfig(labels_per_batch=2, items_per_label=2, workers=0, **options)
        notes = []

        class Noted(Steps):
            def __getitem__(self, number):
                notes.append(number)
                return super().__getitem__(number)

        sampler = LabelSampler(items.labels, 2, 2, seed=0)
        steps = Noted(items, encoded, config, sampler)
        tuning = TuningModel(model, config.temperature)
        return Tuner(tuning, steps, config, world, tmp_path / "out", {}), notes, model

    return build


def judged(notes, scores):
    def judge():
        notes.append("judge")
        return float(next(scores))

    return judge


@pytest.mark.slow
def test_what_is_read_next_is_chosen_after_each_judgement(build):
    tuner, notes, _ = build(steps=5, validate_every=2)
    done = tuner.run(judged(notes, count()), Console(quiet=True), lambda: notes.append("choose"))
    assert done == 5
    expected = ["judge", "choose", 0, 1, "judge", "choose", 2, 3, "judge", "choose", 4, "judge"]
    assert notes == expected


@pytest.mark.slow
def test_the_model_of_the_best_judgement_is_kept(build, tmp_path):
    tuner, notes, model = build(steps=4, validate_every=1, learning_rate=1e-2, warmup=0.0)
    scores, kept = iter([0.1, 0.5, 0.3, 0.5, 0.2]), []

    def judge():
        kept.append(model.state_dict()["function_encoder.cls"].clone())
        return next(scores)

    assert tuner.run(judge, Console(quiet=True)) == 4
    assert notes == [0, 1, 2, 3]
    assert tuner.best == 0.5
    saved = OscarModel.from_pretrained(tmp_path / "out").state_dict()["function_encoder.cls"]
    assert torch.equal(saved, kept[1])
    assert not torch.equal(saved, kept[3])


@pytest.mark.slow
def test_a_run_out_of_time_leaves_the_model_it_began_with(build, tmp_path, model_folder):
    tuner, notes, _ = build(steps=5, budget_minutes=1e-9)
    assert tuner.run(judged(notes, count()), Console(quiet=True)) == 0
    assert notes == ["judge"]
    saved, first = (OscarModel.from_pretrained(path) for path in (tmp_path / "out", model_folder))
    for name, weight in saved.state_dict().items():
        assert torch.equal(weight, first.state_dict()[name])


def test_more_processes_than_items_are_refused(items, encoded):
    sampler = LabelSampler(items.labels, 2, 2, seed=0)
    with pytest.raises(OscarError, match="a step of 4 items cannot be shared by 5 processes"):
        Steps(items, encoded, TuningConfig(), sampler, rank=0, size=5)


@pytest.mark.slow
def test_the_rate_comes_down_with_the_time_where_that_ends_first(build, monkeypatch):
    rates = []

    def noted(engine, optimiser, rate):
        rates.append(rate)
        take_step(engine, optimiser, rate)

    monkeypatch.setattr("finetune.training.tuner.take_step", noted)
    tuner, _, _ = build(steps=100_000, budget_minutes=0.1, validate_every=100_000, warmup=0.01)
    assert 2 < tuner.run(lambda: 0.0, Console(quiet=True)) < 100_000
    peak = rates.index(max(rates))
    assert rates[peak:] == sorted(rates[peak:], reverse=True)
    assert rates[-1] < 0.5 * TuningConfig().learning_rate
