import json

import pytest
import torch

from finetune.training.config import TuningConfig
from oscar import OscarModel
from oscar.cli import run
from pretrain.config import TrainingError


def finetune(*words):
    return run(["finetune", "clone-detection", *map(str, words)])


@pytest.mark.slow
def test_tuning_leaves_the_model_that_does_best(
    collection, collection_file, model_folder, tmp_path, capsys
):
    out = tmp_path / "tuned"
    options = ["--valid", collection_file, "--corpus", collection.corpus.path]
    options += ["--valid-corpus", collection.corpus.path, "--model", model_folder, "--out", out]
    options += ["--labels-per-batch", 2, "--items-per-label", 3, "--steps", 20]
    options += ["--validate-every", 5, "--learning-rate", 1e-3, "--workers", 0]
    assert finetune(collection_file, *options) == 0
    printed = capsys.readouterr().out
    assert "best MAP@R" in printed
    lines = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == [0, 5, 10, 15, 20]
    scores = [line["validation/score"] for line in lines]
    assert max(scores) > scores[0]
    assert lines[-1]["loss"] < lines[1]["loss"]
    OscarModel.from_pretrained(out)
    assert (
        "clone" in (out / "README.md").read_text() or "problems" in (out / "README.md").read_text()
    )
    assert finetune(collection_file, *options) == 1
    assert "--force" in capsys.readouterr().err


@pytest.mark.slow
def test_a_frozen_token_level_stays_as_it_was(collection, collection_file, model_folder, tmp_path):
    options = ["--valid", collection_file, "--corpus", collection.corpus.path]
    options += ["--valid-corpus", collection.corpus.path, "--model", model_folder]
    options += ["--labels-per-batch", 2, "--items-per-label", 3, "--steps", 10]
    options += ["--validate-every", 5, "--learning-rate", 1e-3, "--workers", 1]
    assert finetune(collection_file, *options, "--out", tmp_path, "--freeze-token-level") == 0
    lines = [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    assert lines[-1]["loss"] < lines[1]["loss"]
    before, after = (OscarModel.from_pretrained(x).state_dict() for x in (model_folder, tmp_path))
    changed = {name for name, weight in before.items() if not torch.equal(weight, after[name])}
    assert changed
    assert all(name.startswith("function_encoder") for name in changed)


@pytest.mark.parametrize(
    ("field", "value"),
    [("labels_per_batch", 1), ("items_per_label", 1), ("steps", 0), ("temperature", 0)],
)
def test_options_out_of_range_are_refused_by_name(field, value):
    with pytest.raises(TrainingError, match=field):
        TuningConfig(**{field: value})
