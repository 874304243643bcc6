"""The ready configurations in pretrain/configs."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
import torch

import pretrain
from oscar import cli
from oscar.config import OscarConfig
from pretrain import train
from pretrain.config import TrainingConfig
from pretrain.data.batches import Batches
from pretrain.engine.engine import deepspeed_config
from pretrain.engine.world import quiet_deepspeed
from pretrain.training.trainer import Trainer
from pretrain.training.training import build_training

FOLDER = Path(pretrain.__file__).parent / "configs"
NAMES = ["cpu1", "gpu1", "gpu8", "nodes"]


def test_all_of_them_are_tested():
    assert sorted(path.stem for path in FOLDER.glob("*.json")) == NAMES


@pytest.fixture
def read(monkeypatch):
    """Gives what `oscar pretrain --config FILE` would train with."""

    def run(path, *flags: str):
        called = []
        monkeypatch.setattr(train, "train", lambda *given, **named: called.append((given, named)))
        assert cli.run(["pretrain", "corpus", "--out", "run", "--config", str(path), *flags]) == 0
        (_, _, config), named = called[0]
        return config, named

    return run


@pytest.mark.parametrize("name", NAMES)
def test_the_command_line_reads_it_and_flags_come_first(read, name):
    written = json.loads((FOLDER / f"{name}.json").read_text())
    config, named = read(FOLDER / f"{name}.json", "--steps", "7")
    preset = written.pop("preset")
    assert named["preset"] == preset
    OscarConfig.preset(preset)
    assert config == replace(TrainingConfig(**written), steps=7)


@pytest.mark.parametrize("name", NAMES)
def test_the_engine_is_built_and_takes_a_step(read, world, small, melodies, tmp_path, name):
    config, _ = read(FOLDER / f"{name}.json")
    # As on that machine, but for what this one or the six functions cannot give.
    config = replace(config, batch_size=4, validation_share=0, queue_size=16).resolved(world.device)
    training = build_training(small, config, world)
    trainer = Trainer(training, config, world, tmp_path)
    figures = trainer.step(Batches(melodies, small, config)[0])
    assert figures["loss"] > 0
    assert trainer.skipped == 0


@pytest.mark.parametrize("name", NAMES)
def test_deepspeed_s_own_schema_accepts_it(read, world, name):
    config, _ = read(FOLDER / f"{name}.json")
    told = quiet_deepspeed().runtime.config.DeepSpeedConfig(deepspeed_config(config))
    assert told.zero_optimization_stage == config.zero_stage


@pytest.mark.parametrize(("name", "processes"), [("gpu8", 8), ("nodes", 32)])
def test_every_process_of_the_machine_has_functions_to_read(read, name, processes):
    read(FOLDER / f"{name}.json")[0].check_processes(processes)


def test_precision_is_what_the_device_can_do(read, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda **_: True)
    for name in ("gpu1", "gpu8", "nodes"):
        config, _ = read(FOLDER / f"{name}.json")
        assert config.resolved(torch.device("cuda", 0)).precision == "bf16"


def test_deepspeed_reads_the_hostfile(world):
    quiet_deepspeed()
    from deepspeed.launcher.runner import fetch_hostfile

    hosts = fetch_hostfile(str(FOLDER / "hostfile"))
    assert dict(hosts) == {f"node-{number}": 8 for number in range(1, 5)}


def test_the_batch_script_is_a_script_of_existing_files():
    script = FOLDER / "slurm.sh"
    subprocess.run(["bash", "-n", str(script)], check=True)
    assert "--config pretrain/configs/nodes.json" in script.read_text()


def test_fields_of_the_model_can_stand_in_a_file_and_in_flags(read, tmp_path):
    file = tmp_path / "options.json"
    file.write_text(json.dumps({"model": {"pce": False, "n_features": 32, "rpe": "alibi"}}))
    _, named = read(file)
    assert named["model"] == {"pce": False, "n_features": 32, "rpe": "alibi"}
    _, named = read(file, "--model.pce", "true", "--model.rpe", "none")
    assert named["model"] == {"pce": True, "rpe": None}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "no such file"),
        ('{"stepz": 3}', 'Unknown option: "[stepz]"'),
        ('{"steps": ', "JSONDecodeError"),
        ('{"steps": "many"}', 'unable to convert "many" into int'),
    ],
)
def test_a_wrong_file_is_said_in_one_line(tmp_path, capsys, text, said):
    file = tmp_path / "options.json"
    if text is not None:
        file.write_text(text)
    status = cli.run(["pretrain", "corpus", "--out", "run", "--config", str(file)])
    assert status != 0
    message = capsys.readouterr().err
    assert said in message
    assert len(message.splitlines()) == 1
