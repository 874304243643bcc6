"""The benchmarks of attention, with a few steps of a training each."""

import json

import pytest
import torch

from benchmarks import attention_approximation, attention_training
from benchmarks.parts.training_curves import draw_curves
from benchmarks.parts.training_tasks import IGNORED, LENGTH, MASK, Copy, MaskedCode


def test_the_copy_task_asks_for_the_word_so_many_places_back():
    inputs, targets = Copy(distance=3).batch(2, torch.Generator().manual_seed(0))
    assert inputs.shape == targets.shape == (2, LENGTH)
    assert (targets[:, :3] == IGNORED).all()
    assert torch.equal(targets[:, 3:], inputs[:, :-3])


def test_masked_code_asks_for_what_it_masks_and_holds_functions_out(corpus):
    task = MaskedCode.of(corpus)
    inputs, targets = task.batch(3, torch.Generator().manual_seed(0))
    assert torch.equal(inputs == MASK, targets != IGNORED)
    assert 0.05 < (inputs == MASK).float().mean() < 0.25
    assert targets.max() < task.words
    assert len(task.parts[True]) < len(task.parts[False])


@pytest.mark.parametrize("variant", attention_training.VARIANTS, ids=lambda variant: variant.name)
def test_each_variant_trains_and_repeats_itself(variant):
    runs = [attention_training.train(Copy(), variant, 1e-3, seed=0, steps=2) for _ in range(2)]
    assert runs[0].losses == runs[1].losses
    assert not runs[0].diverged
    assert 0 <= runs[0].accuracy <= 1


def test_the_same_runs_give_the_same_picture(tmp_path):
    variant = attention_training.VARIANTS[0]
    run = attention_training.Run("copy", variant.name, 1e-3, 0, losses=[3.0] * 60)
    for name in ("first.svg", "second.svg"):
        draw_curves(tmp_path / name, [run])
    assert (tmp_path / "first.svg").read_bytes() == (tmp_path / "second.svg").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("benchmark", [attention_training, attention_approximation])
def test_a_benchmark_writes_its_figures(benchmark, corpus, tmp_path, monkeypatch):
    monkeypatch.setattr(attention_approximation, "TUNING_STEPS", 2)
    figures, plot = tmp_path / "figures.json", tmp_path / "plot.svg"
    benchmark.main(steps=2, corpus=corpus, json_file=figures, plot=plot)
    assert json.loads(figures.read_text(encoding="utf-8"))
    assert plot.read_text(encoding="utf-8").startswith("<?xml")
