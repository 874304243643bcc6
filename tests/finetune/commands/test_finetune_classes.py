import json

import pytest

from finetune.data.learned_from import RECORD
from oscar import OscarModel
from oscar.cli import run


def finetune(*words):
    return run(["finetune", "classification", *map(str, words)])


@pytest.mark.slow
def test_tuning_leaves_a_model_that_the_same_split_judges(
    ten_each_file, model_folder, tmp_path, capsys
):
    out = tmp_path / "tuned"
    options = ["--model", model_folder, "--out", out, "--views", "O0", "--seed", 3]
    options += ["--steps", 12, "--validate-every", 4, "--learning-rate", 1e-3, "--workers", 0]
    options += ["--token-budget", 3000, "--batch-size", 8]
    assert finetune(ten_each_file, *options) == 0
    assert "12 steps on 12 programs; lowest error on 4 others: 0.0 %" in capsys.readouterr().out
    lines = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == [0, 4, 8, 12]
    assert lines[-1]["loss"] < lines[1]["loss"]
    assert lines[-1]["validation/score"] == 1
    OscarModel.from_pretrained(out)
    assert len(json.loads((out / RECORD).read_text())["programs"]) == 16

    words = ["evaluate", "classification", str(ten_each_file), "--model", str(out)]
    words += ["--corpus", str(out / "corpus"), "--no-baselines"]
    assert run([*words, "--out", str(tmp_path / "same"), "--seed", "3"]) == 0
    metrics = json.loads((tmp_path / "same" / "metrics.json").read_text())
    assert metrics["results"][str(out)]["error"] == 0
    capsys.readouterr()
    assert run([*words, "--out", str(tmp_path / "other")]) == 1
    assert "give --seed 3, as in its tuning, or other programs" in capsys.readouterr().err
    assert not (tmp_path / "other" / "metrics.json").exists()
    assert finetune(ten_each_file, *options) == 1
    assert "--force" in capsys.readouterr().err


def test_what_cannot_be_tuned_is_one_clear_line(
    collection, collection_file, model_folder, tmp_path, capsys
):
    out = tmp_path / "tuned"
    options = ["--corpus", collection.corpus.path, "--model", model_folder, "--out", out]
    for words, said in (
        ([], "label 'sum' has 3 programs"),
        (["--batch-size", 0], "batch_size is 0"),
        (["--per-label", 0], "--per-label 0"),
        (["--valid-per-label", 0], "--valid-per-label 0"),
        (["--precision", "fp16"], "fp16 needs a GPU"),
    ):
        assert finetune(collection_file, *options, *words) == 1
        error = capsys.readouterr().err
        assert said in error
        assert len(error.splitlines()) == 1
    assert not out.exists()
