import json
import re

import pytest

from ir_pipeline import build_corpus
from oscar import OscarModel
from oscar.cli import run


def finetune(*words):
    return run(["finetune", "binary-diffing", *map(str, words)])


@pytest.mark.slow
def test_tuning_leaves_the_model_that_finds_most(commented_corpus, model_folder, tmp_path, capsys):
    out = tmp_path / "tuned"
    options = ["--model", model_folder, "--out", out, "--valid-share", 0.4, "--workers", 0]
    options += ["--steps", 6, "--validate-every", 2, "--learning-rate", 1e-3, "--hard-negatives"]
    options += ["--labels-per-batch", 6]
    assert finetune(commented_corpus, *options) == 0
    assert "held-out functions at another level" in capsys.readouterr().out
    lines = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == [0, 2, 4, 6]
    assert lines[-1]["loss"] < lines[1]["loss"]
    OscarModel.from_pretrained(out)
    # One option given leaves the others as they are for this task.
    assert re.search(r"items_per_label\W+2\b", (out / "README.md").read_text())
    assert finetune(commented_corpus, *options) == 1
    assert "--force" in capsys.readouterr().err


@pytest.fixture(scope="module")
def one_view(project, tmp_path_factory):
    folder = tmp_path_factory.mktemp("one-view") / "corpus"
    build_corpus([project], folder, views=["O0"], workers=1)
    return folder


def test_a_corpus_of_one_view_is_one_clear_line(one_view, model_folder, tmp_path, capsys):
    assert finetune(one_view, "--model", model_folder, "--out", tmp_path / "tuned") == 1
    error = capsys.readouterr().err
    assert "gives 0 functions in two views to learn from and 0 held out" in error
    assert "--views O0,O1,O2,O3" in error
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--valid-share", 0], "give a share between 0 and 1"),
        (["--items-per-label", 1], "items_per_label is 1; it must be at least 2"),
        (["--model", "nothing-here"], "nothing-here"),
    ],
)
def test_what_cannot_be_tuned_is_one_clear_line(commented_corpus, tmp_path, capsys, words, said):
    assert finetune(commented_corpus, "--out", tmp_path / "tuned", *words) == 1
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) == 1
    assert not (tmp_path / "tuned").exists()
