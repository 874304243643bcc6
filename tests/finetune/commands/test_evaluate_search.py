import json
import shutil

import pytest
import torch

from finetune.text_encoder import TextEncoder
from finetune.training.dual import DualEncoder, TextSide
from oscar import OscarModel
from oscar.cli import run

FUNCTIONS = {
    "sumOfList": ("Find the sum of a list of numbers.", "int s=0; for(int i=0;i<n;i++) s+=a[i];"),
    "largestNumber": ("Find the largest of many numbers.", "int s=a[0]; if(a[1]>s) s=a[1];"),
    "productOfList": ("Gives a list's product.", "int times(int, int); int s = times(a[0], a[1]);"),
    "lost": ("Sort a list.", "this is no program"),
}


@pytest.fixture(scope="module")
def questions(tmp_path_factory):
    path = tmp_path_factory.mktemp("questions") / "mbxp.jsonl"
    lines = [
        {
            "task_id": f"T/{number}",
            "prompt": f"/* {text} */\nint {name}(int *a, int n) {{\n",
            "canonical_solution": f"{body} return s; }}",
            "description": text,
            "entry_point": name,
        }
        for number, (name, (text, body)) in enumerate(FUNCTIONS.items())
    ]
    lines.append({**lines[0], "task_id": "T/9", "canonical_solution": None})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture(scope="module")
def tuned(model_folder, text_folder, tmp_path_factory):
    """A model that knows words, though it has learned nothing."""
    torch.manual_seed(1)
    folder = tmp_path_factory.mktemp("tuned") / "model"
    side = TextSide.of(TextEncoder(text_folder))
    DualEncoder(OscarModel.from_pretrained(model_folder), side, 8).save(folder, {})
    return folder


def evaluate(*words):
    return run(["evaluate", "code-search", *map(str, words)])


def test_baselines_and_models_search_the_whole_pool(
    questions, tuned, text_folder, tmp_path, capsys
):
    out = tmp_path / "results"
    options = ["--model", tuned, "--text", text_folder, "--views", "O0", "--out", out]
    assert evaluate(questions, *options) == 0
    printed = capsys.readouterr().out
    assert "judging source words, TF-IDF: 4 functions" in printed
    assert "judging OSCAR, untrained: 3 functions" in printed
    metrics = json.loads((out / "metrics.json").read_text())
    assert (metrics["facts"]["pool"], metrics["facts"]["lost"]) == (4, 1)
    assert len(metrics["results"]) == 8
    assert metrics["results"]["source words, TF-IDF"]["recall_at_1"] == 0.75
    for name, figures in metrics["results"].items():
        assert (figures["queries"], figures["pool"]) == (4, 4), name
        assert figures["mrr_low"] <= figures["mrr"] <= figures["mrr_high"], name
    assert metrics["results"][str(tuned)]["recall_at_10"] == 0.75
    text = (out / "results.md").read_text()
    assert "| IR names, TF-IDF |" in text
    assert "![recall@10 by size of the function](recall-by-size.svg)" in text
    assert "<!-- OSCAR, untrained -->" in (out / "recall-by-size.svg").read_text()
    card = (tuned / "README.md").read_text()
    assert card.count("## Evaluation: code search on mbxp.jsonl\n") == 1
    assert evaluate(questions, *options) == 1
    assert "give --force" in capsys.readouterr().err


def test_what_cannot_be_judged_is_one_clear_line(
    questions, tuned, model_folder, corpus, text_folder, tmp_path, capsys
):
    other = tmp_path / "other-text"
    shutil.copytree(text_folder, other)
    config = json.loads((other / "config.json").read_text())
    (other / "config.json").write_text(json.dumps({**config, "layer_norm_eps": 1e-5}))
    empty = tmp_path / "empty.jsonl"
    empty.write_text(questions.read_text().splitlines()[-1] + "\n")
    text = ["--text", text_folder]
    wordless = tmp_path / "wordless.jsonl"
    line = {"prompt": "", "canonical_solution": "int x;", "task_id": "T/0", "entry_point": "x"}
    wordless.write_text(json.dumps(line) + "\n")
    for file, words, said in (
        (questions, ["--model", model_folder, *text], "knows no words: tune it"),
        (questions, ["--model", tuned, "--text", other], "was tuned with the text encoder"),
        (questions, ["--corpus", corpus, *text], "holds no answer of"),
        (empty, text, "holds no question with a solution"),
        (text_folder / "config.json", text, "cannot be read as MBXP questions"),
        (wordless, text, "a line has no 'description'"),
        (tmp_path / "no-file", text, "cannot be read as MBXP questions"),
    ):
        assert evaluate(file, *words, "--out", tmp_path / "out") == 1
        error = capsys.readouterr().err
        assert said in error
        assert len(error.splitlines()) == 1
    assert not (tmp_path / "out" / "metrics.json").exists()
