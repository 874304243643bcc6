import json
import shutil

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
    for part in ("MAP@R", "opcode histogram", "IR2Vec", "OSCAR, untrained", str(model_folder)):
        assert part in printed
    metrics = json.loads((out / "metrics.json").read_text())
    assert metrics["facts"]["lost"] == 1
    assert metrics["facts"]["problems"] == 2
    for figures in metrics["results"].values():
        assert 0 <= figures["map_at_r"] <= figures["map_at_r_without_lost"] <= 1
    assert "| opcode histogram |" in (out / "results.md").read_text()


@pytest.fixture(scope="module")
def judged(collection, collection_file, model_folder, tmp_path_factory):
    """Results without baselines, of two compositions, and the model they are of."""
    folder = tmp_path_factory.mktemp("judged")
    model = folder / "model"
    shutil.copytree(model_folder, model)
    pool = [collection_file, "--corpus", collection.corpus.path]
    learned = ["--train", collection_file, "--train-corpus", collection.corpus.path]
    compositions = ["--composition", "mean", "--composition", "length"]
    options = [*learned, *compositions, "--no-baselines", "--model", model, "--out"]
    for out in ("results", "again"):
        assert evaluate(*pool, *options, folder / out) == 0
    return folder, model


def test_models_are_judged_in_each_composition_raw_whitened_and_behind_lda(judged):
    folder, model = judged
    results = json.loads((folder / "results" / "metrics.json").read_text())["results"]
    kinds = [f", {how}{more}" for how in ("mean", "length") for more in ("", ", whitened", ", LDA")]
    assert list(results) == [
        f"{name}{kind}" for name in ("OSCAR, untrained", model) for kind in kinds
    ]


def test_pictures_are_linked_and_the_same_each_time(judged):
    folder, model = judged
    text = (folder / "results" / "results.md").read_text()
    for file in ("precision-recall.svg", "map-1.png"):
        assert f"]({file})" in text
        written = [(folder / out / file).read_bytes() for out in ("results", "again")]
        assert written[0] == written[1]
    assert f"Map of {model}" in text
    curves = (folder / "results" / "precision-recall.svg").read_text()
    assert f"<!-- {model}, mean, LDA -->" in curves


def test_the_models_card_has_the_results_once(judged):
    _, model = judged
    card = (model / "README.md").read_text()
    assert card.count("## Evaluation: clone detection on programs.jsonl") == 1
    assert "| **this model**, mean |" in card
    assert "| OSCAR, untrained, length, LDA |" in card
    assert "| representation | MAP@R | 95 % interval |" in card
    assert card.startswith("---\nlibrary_name: oscar")


def test_one_problem_alone_is_one_clear_line(collection, collection_file, tmp_path, capsys):
    alone = tmp_path / "programs.jsonl"
    alone.write_text("".join(collection_file.read_text().splitlines(keepends=True)[:3]))
    corpus = ["--corpus", collection.corpus.path, "--train-corpus", collection.corpus.path]
    for words in ([alone], [collection_file, "--train", alone]):
        assert evaluate(*words, *corpus, "--out", tmp_path / "out") == 1
        error = capsys.readouterr().err
        assert "1 problem(s) with 3 programs that lower" in error
        assert len(error.splitlines()) == 1


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
    assert "give --force" in capsys.readouterr().err
    assert evaluate(collection_file, *options, "--force") == 1
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
