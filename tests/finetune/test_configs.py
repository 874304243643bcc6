"""The ready configurations in finetune/configs."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

import finetune
from oscar import cli
from oscar.config import OscarConfig
from pretrain.engine.engine import deepspeed_config
from pretrain.engine.world import quiet_deepspeed, start

FOLDER = Path(finetune.__file__).parent / "configs"
NAMES = {"gpu1": 1, "gpu8": 8}
"""How many processes each is for."""
TASKS = {
    "clone-detection": ["train.jsonl", "--valid", "valid.jsonl"],
    "classification": ["train.jsonl"],
    "code-search": ["corpus"],
    "binary-diffing": ["corpus"],
}


def test_all_of_them_are_tested():
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(NAMES)
    assert {verb for verb in cli.VERBS if verb.startswith("finetune ")} == {
        f"finetune {task}" for task in TASKS
    }


def read(task, name, *flags):
    """What `oscar finetune TASK --config FILE` would be called with."""
    words = ["finetune", task, *TASKS[task], "--out", "tuned", *flags]
    words += ["--config", str(FOLDER / f"{name}.json")]
    _, bound, _ = cli.build_app().parse_args(words, exit_on_error=False, print_error=False)
    bound.apply_defaults()
    return bound.arguments


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("task", TASKS)
def test_every_task_reads_it_and_flags_come_first(task, name):
    written = json.loads((FOLDER / f"{name}.json").read_text())
    preset = written.pop("preset")
    OscarConfig.preset(preset)
    given = read(task, name, "--steps", "7")
    assert given["preset"] == preset
    assert given["options"] == replace(given["options"], **{**written, "steps": 7})


@pytest.mark.parametrize(("name", "processes"), NAMES.items())
@pytest.mark.parametrize("task", TASKS)
def test_every_process_has_items_to_read(task, name, processes):
    assert read(task, name)["options"].items_per_step >= processes


@pytest.mark.parametrize("name", NAMES)
def test_deepspeed_s_own_schema_accepts_it(name):
    start()
    options = read("classification", name)["options"].engine
    told = quiet_deepspeed().runtime.config.DeepSpeedConfig(deepspeed_config(options))
    assert told.zero_optimization_stage == options.zero_stage


@pytest.mark.parametrize("name", NAMES)
def test_precision_is_what_the_device_can_do(name, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda **_: True)
    options = read("classification", name)["options"].engine
    assert options.resolved(torch.device("cuda", 0)).precision == "bf16"
