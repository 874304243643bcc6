import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from pretrain.metrics import read_metrics

LAUNCHER = [sys.executable, "-m", "deepspeed.launcher.runner", "--num_accelerators"]
OPTIONS = ["--batch-size", "2", "--checkpoint-every", "2", "--log-every", "1", "--queue-size", "16"]


def environment() -> dict[str, str]:
    """Ours, without the process group of this test process, with the tools beside Python."""
    clean = {k: v for k, v in os.environ.items() if k not in ("RANK", "WORLD_SIZE", "LOCAL_RANK")}
    clean["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{clean['PATH']}"
    return clean


def command(corpus, out, *options: str) -> list[str]:
    return [sys.executable, "-m", "pretrain", str(corpus), "--out", str(out), *OPTIONS, *options]


def launch(corpus, out, *options: str, processes: int = 2) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*LAUNCHER, str(processes), "--module", *command(corpus, out, *options)[2:]],
        env=environment(),
        capture_output=True,
        text=True,
    )


def losses(run: Path) -> dict[int, float]:
    return {int(line["step"]): line["loss"] for line in read_metrics(run / "metrics.jsonl")}


@pytest.mark.slow
def test_the_module_says_what_is_wrong_in_one_line(tmp_path):
    run = subprocess.run(
        command(tmp_path / "none", tmp_path / "run", "--local_rank=0"),
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    assert run.stdout == ""
    assert "no such corpus folder" in run.stderr
    assert len(run.stderr.splitlines()) == 1


@pytest.mark.slow
def test_killed_and_resumed_is_uninterrupted(corpus, tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    run = subprocess.run(
        command(corpus, whole, "--steps", "24"), env=environment(), capture_output=True, text=True
    )
    assert (run.returncode, run.stderr) == (0, "")
    for moment in (3, 11):
        process = subprocess.Popen(
            command(corpus, killed, "--steps", "24"),
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while max(losses(killed), default=0) < moment:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run(command(corpus, killed, "--steps", "24"), env=environment(), check=True)
    assert losses(killed) == losses(whole)
    assert len(losses(whole)) == 24
    one, other = (run / "model.safetensors" for run in (whole, killed))
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.slow
def test_sigterm_leaves_a_checkpoint_and_the_status_of_an_interruption(corpus, tmp_path):
    out = tmp_path / "run"
    process = subprocess.Popen(
        command(corpus, out, "--steps", "1000"), env=environment(), stdout=subprocess.PIPE
    )
    while not losses(out):
        assert process.poll() is None
        time.sleep(0.01)
    process.terminate()
    output, _ = process.communicate()
    assert process.returncode == 130
    done = max(losses(out))
    assert f"stopped after step {done}; the same command goes on" in output.decode()
    assert (out / "checkpoints" / f"step-{done:08d}" / "state.json").is_file()


@pytest.mark.slow
def test_two_ranks_stopped_and_resumed_are_uninterrupted(corpus, tmp_path):
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    zero = ["--zero-stage", "1"]
    run = launch(corpus, whole, "--steps", "4", *zero)
    assert run.returncode == 0, run.stderr
    assert "4 of 4" in run.stdout
    launch(corpus, stopped, "--steps", "4", "--minutes", "0.0001", *zero)
    assert max(losses(stopped)) == 1
    launch(corpus, stopped, "--steps", "4", *zero)
    assert losses(stopped) == losses(whole)
    one, other = (load_file(run / "model.safetensors") for run in (whole, stopped))
    assert all(torch.equal(one[name], other[name]) for name in one)


@pytest.mark.slow
def test_another_number_of_processes_goes_on_or_is_refused(corpus, tmp_path):
    for stage, code in (("0", 0), ("1", 1)):
        out = tmp_path / stage
        launch(corpus, out, "--steps", "2", "--zero-stage", stage)
        run = launch(corpus, out, "--steps", "4", "--zero-stage", stage, processes=1)
        assert (run.returncode == 0) == (code == 0)
        assert ("run 2 again" in run.stdout + run.stderr) == (code == 1)
        assert max(losses(out)) == (4 if code == 0 else 2)


SAME_WEIGHTS = """
import sys
from pathlib import Path
import torch
from rich.console import Console
from pretrain.config import TrainingConfig
from pretrain.engine import start
from pretrain.moco import gather
from pretrain.job import Job
from pretrain.run_folder import RunFolder
from pretrain.session import Session

world = start()
corpus, out = map(Path, sys.argv[-2:])
config = TrainingConfig(steps=3, batch_size=2)
job = Job(corpus, "", "tiny", config, RunFolder(out, 1), None)
session = Session(job, world, Console(quiet=True))
session.run()
model = session.training.engine.module
rows = gather(torch.cat([w.detach().flatten() for w in model.parameters()])[None])
assert len(rows) == 2 and torch.equal(rows[0], rows[1])
rows = gather(session.training.queue.classes[None])
assert torch.equal(rows[0], rows[1]) and (rows[0] >= 0).sum() == 12
print("the same on both")
"""


@pytest.mark.slow
def test_every_rank_has_the_same_weights_and_queue(corpus, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SAME_WEIGHTS)
    run = subprocess.run(
        [*LAUNCHER, "2", str(script), str(corpus), str(tmp_path / "run")],
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert run.stdout.count("the same on both") == 2, run.stderr
