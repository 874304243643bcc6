"""The launcher's door: several processes tune as one."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from oscar import OscarModel

LAUNCHERS = {
    "alone": ["-m"],
    "torchrun": ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", "-m"],
    "deepspeed": [
        *("-m", "deepspeed.launcher.runner", "--num_accelerators=2"),
        *("--master_port={port}", "--module"),
    ],
}


def environment():
    """What a shell has, without what an earlier training in this process has left."""
    clean = {k: v for k, v in os.environ.items() if k not in ("RANK", "WORLD_SIZE", "LOCAL_RANK")}
    return clean | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{clean['PATH']}"}


def launch(launcher, *words):
    """Runs `python -m finetune` in one process or under a launcher in two."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        start = [word.format(port=probe.getsockname()[1]) for word in LAUNCHERS[launcher]]
    return subprocess.run(
        [sys.executable, *start, "finetune", *map(str, words)],
        env=environment(),
        capture_output=True,
        text=True,
    )


@pytest.fixture
def steady(model_folder, tmp_path):
    """A model without dropout, which each process would draw for itself."""
    model = OscarModel.from_pretrained(model_folder)
    still = OscarModel(replace(model.config, dropout=0.0))
    still.load_state_dict(model.state_dict())
    still.save_pretrained(tmp_path / "steady", model.tokenizer)
    return tmp_path / "steady"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("launcher", "task", "flags"),
    [
        ("torchrun", "classification", ["--batch-size", 7, "--token-budget", 2000]),
        ("deepspeed", "binary-diffing", ["--labels-per-batch", 4, "--zero-stage", 1]),
        ("torchrun", "binary-diffing", ["--freeze-token-level", "--proxy-weight", 1]),
        ("torchrun", "binary-diffing", ["--freeze-token-level", "--zero-stage", 3]),
    ],
)
def test_two_processes_tune_as_one(
    ten_each_file, commented_corpus, steady, tmp_path, launcher, task, flags
):
    words = [ten_each_file, "--corpus", tmp_path / "corpus", "--views", "O0,O2"]
    if task == "binary-diffing":
        words = [commented_corpus, "--valid-share", 0.4]
    words += ["--model", steady, "--steps", 3, "--validate-every", 1, "--workers", 0, *flags]
    lines = {}
    for how in ("alone", launcher):
        done = launch(how, task, *words, "--out", tmp_path / how)
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stdout.count("3 steps") == 1
        metrics = (tmp_path / how / "metrics.jsonl").read_text().splitlines()
        lines[how] = [json.loads(line) for line in metrics]
    losses = {how: [line["loss"] for line in found[1:]] for how, found in lines.items()}
    assert losses[launcher] == pytest.approx(losses["alone"], rel=1e-3)
    assert len(losses["alone"]) == 3
    for one, both in zip(lines["alone"], lines[launcher], strict=True):
        assert both["validation/score"] == pytest.approx(one["validation/score"], abs=0.1)


@pytest.mark.slow
def test_the_module_says_what_is_wrong_in_one_line(tmp_path):
    done = launch("alone", "--local_rank=0", "binary-diffing", tmp_path / "none", "--out", tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "no such corpus folder" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_ctrl_c_leaves_the_best_model(commented_corpus, model_folder, tmp_path):
    out = tmp_path / "tuned"
    words = ["finetune", "binary-diffing", commented_corpus, "--model", model_folder, "--out", out]
    words += ["--valid-share", 0.4, "--steps", 10_000, "--validate-every", 1]
    metrics = out / "metrics.jsonl"
    with subprocess.Popen(
        [sys.executable, "-m", *map(str, words)],
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        while not metrics.exists() or len(metrics.read_text().splitlines()) < 2:
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate()
    assert process.returncode == 130
    assert f"the best model so far is in {out}" in " ".join(output.split())
    OscarModel.from_pretrained(out)
