import json

import pytest

from finetune.training.dual import DualEncoder
from oscar import OscarModel
from oscar.cli import run


def finetune(*words):
    return run(["finetune", "code-search", *map(str, words)])


@pytest.mark.slow
def test_tuning_leaves_a_model_that_knows_words(
    commented_corpus, model_folder, text_folder, tmp_path, capsys
):
    out = tmp_path / "tuned"
    options = ["--model", model_folder, "--text", text_folder, "--out", out, "--valid-share", 0.3]
    options += ["--steps", 6, "--validate-every", 3, "--batch-size", 8, "--workers", 0]
    assert finetune(commented_corpus, *options) == 0
    printed = capsys.readouterr().out
    assert "with a comment" in printed
    assert "sum_int: Gives the total of many int numbers." in printed
    assert "best MRR" in printed
    lines = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == [0, 3, 6]
    OscarModel.from_pretrained(out)
    assert DualEncoder.load(out).text.name == str(text_folder)
    assert finetune(commented_corpus, *options) == 1
    assert "--force" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--valid-share", 1], "give a share between 0 and 1"),
        (["--batch-size", 1], "batch_size is 1; it must be at least 2"),
        (["--model", "nothing-here"], "nothing-here"),
        (["--text", "nothing-here"], "no text encoder in nothing-here"),
    ],
)
def test_what_cannot_be_tuned_is_one_clear_line(
    commented_corpus, text_folder, tmp_path, capsys, words, said
):
    text = [] if "--text" in words else ["--text", text_folder]
    out = tmp_path / "tuned"
    assert finetune(commented_corpus, *text, "--out", out, *words) == 1
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) == 1
    assert not (out / "config.json").exists()


def test_a_corpus_without_comments_is_one_clear_line(corpus, text_folder, tmp_path, capsys):
    assert finetune(corpus, "--text", text_folder, "--out", tmp_path / "tuned") == 1
    assert "take sources with more comments" in capsys.readouterr().err
