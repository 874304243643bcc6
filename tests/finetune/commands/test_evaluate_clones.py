import json

import pytest

from oscar.cli import run


def evaluate(*words):
    return run(["evaluate", "clone-detection", *map(str, words)])


def test_baselines_and_models_stand_in_one_table(
    collection, collection_file, model_folder, tmp_path, capsys
):
    out = tmp_path / "results"
    options = ["--corpus", collection.corpus.path, "--out", out, "--model", model_folder]
    assert evaluate(collection_file, *options) == 0
    printed = capsys.readouterr().out
    for part in ("MAP@R", "opcode histogram", "OSCAR, untrained", str(model_folder)):
        assert part in printed
    metrics = json.loads((out / "metrics.json").read_text())
    assert metrics["facts"]["lost"] == 1
    assert metrics["facts"]["problems"] == 2
    for figures in metrics["results"].values():
        assert 0 <= figures["map_at_r"] <= figures["map_at_r_without_lost"] <= 1
    assert "| opcode histogram |" in (out / "results.md").read_text()


def test_rankings_of_another_program_are_judged(collection_file, tmp_path, capsys):
    labels = ["sum"] * 3 + ["max"] * 4
    lines = [
        {"index": str(i), "answers": [str(j) for j in range(7) if j != i and labels[j] == label]}
        for i, label in enumerate(labels)
    ]
    predictions = tmp_path / "predictions.jsonl"
    predictions.write_text("".join(json.dumps(line) + "\n" for line in lines))
    options = ["--predictions", predictions, "--out", tmp_path / "out"]
    assert evaluate(collection_file, *options) == 0
    metrics = json.loads((tmp_path / "out" / "metrics.json").read_text())
    assert metrics["results"]["predictions.jsonl"]["map_at_r"] == 1
    predictions.write_text(json.dumps(lines[0]) + "\n")
    assert evaluate(collection_file, *options) == 1
    assert "no line for index 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--composition", "sum"], "choose among"),
        (["--no-baselines"], "nothing to judge"),
        (["--model", "nothing-here"], "nothing-here"),
    ],
)
def test_what_cannot_be_judged_is_one_clear_line(
    collection, collection_file, tmp_path, capsys, words, said
):
    options = ["--corpus", collection.corpus.path, "--out", tmp_path / "out", *words]
    assert evaluate(collection_file, *options) == 1
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) == 1
    assert not (tmp_path / "out" / "metrics.json").exists()
