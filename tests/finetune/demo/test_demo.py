"""The whole road in one command, on three tasks and a few steps."""

import json
import shutil

import pytest

from finetune.demo.demo import EXAMPLES
from finetune.demo.questions import task_of
from oscar.cli import run

TASKS = ("gcd", "digit_sum", "is_prime")


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples")
    for task in TASKS:
        shutil.copytree(EXAMPLES / task, folder / task)
    return folder


@pytest.mark.slow
def test_the_demo_takes_the_examples_all_the_way(examples, tmp_path, capsys):
    out = tmp_path / "demo"
    command = ["demo", "--out", str(out), "--examples", str(examples), "--steps", "3"]
    assert run(command) == 0
    printed = capsys.readouterr().out
    for part in ("1 · preprocess", "nearest to", "opcode histogram", "MAP@R"):
        assert part in printed
    metrics = json.loads((out / "metrics.json").read_text())
    assert set(metrics) == {"same_task", "optimised"}
    for answers in metrics.values():
        assert set(answers) == {"OSCAR, pretrained", "OSCAR, untrained", "opcode histogram"}
        assert all(0 < figures["mrr"] <= 1 for figures in answers.values())
    for figures in metrics["same_task"].values():
        assert figures["queries"] == len(list(examples.glob("*/*.c*")))
    for file in ("map.png", "embeddings.parquet", "index/index.json", "run/model.safetensors"):
        assert (out / file).is_file()
    assert run(command) == 0
    assert json.loads((out / "metrics.json").read_text()) == metrics


def test_an_example_is_of_the_task_its_folder_names():
    assert task_of(("examples", "gcd/euclid.c")) == "gcd"


@pytest.mark.parametrize("files", [[], ["a/x.ll", "a/y.ll"], ["a/x.c", "b/y.c"]])
def test_a_folder_without_tasks_is_one_clear_line(tmp_path, capsys, files):
    for file in files:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).touch()
    assert run(["demo", "--examples", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert "give --examples" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
