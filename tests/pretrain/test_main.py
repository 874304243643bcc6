import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
import torch
from safetensors.torch import load_file

from pretrain.report.metrics import read_metrics

LAUNCHERS = {
    "deepspeed": [
        *("-m", "deepspeed.launcher.runner"),
        *("--num_accelerators={n}", "--master_port={port}", "--module"),
    ],
    "torchrun": ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node={n}", "-m"],
}
OPTIONS = {
    "batch-size": 4,
    "checkpoint-every": 2,
    "log-every": 1,
    "queue-size": 16,
    "validation-share": 0.3,
    "validate-every": 2,
}


def environment() -> dict[str, str]:
    """Ours, without the process group of this test process, with the tools beside Python."""
    clean = {k: v for k, v in os.environ.items() if k not in ("RANK", "WORLD_SIZE", "LOCAL_RANK")}
    clean["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{clean['PATH']}"
    return clean


def arguments(corpus, out, **options) -> list[str]:
    changed = {name.replace("_", "-"): value for name, value in options.items()}
    flags = [f"--{name}={value}" for name, value in {**OPTIONS, **changed}.items()]
    return ["pretrain", str(corpus), "--out", str(out), *flags]


def command(corpus, out, **options) -> list[str]:
    return [sys.executable, "-m", *arguments(corpus, out, **options)]


def launch(launcher: str, corpus, out, processes: int = 2, **options) -> str:
    """Runs a launcher to a good end and gives what it printed."""
    # DeepSpeed's launcher would take the same port for all runs of a machine.
    words = [word.format(n=processes, port=free_port()) for word in LAUNCHERS[launcher]]
    run = subprocess.run(
        [sys.executable, *words, *arguments(corpus, out, **options)],
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def run_alone(corpus, out, **options) -> str:
    run = subprocess.run(
        command(corpus, out, **options), env=environment(), capture_output=True, text=True
    )
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


def losses(run: Path) -> dict[int, float]:
    return {int(line["step"]): line["loss"] for line in read_metrics(run / "metrics.jsonl")}


def weights(run: Path) -> torch.Tensor:
    return torch.cat([part.flatten() for part in load_file(run / "model.safetensors").values()])


@pytest.mark.slow
def test_the_module_says_what_is_wrong_in_one_line(tmp_path):
    run = subprocess.run(
        [*command(tmp_path / "none", tmp_path / "run"), "--local_rank=0"],
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    assert run.stdout == ""
    assert "no such corpus folder" in run.stderr
    assert len(run.stderr.splitlines()) == 1


@pytest.mark.slow
def test_killed_at_random_moments_and_resumed_is_uninterrupted(corpus, tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    run_alone(corpus, whole, steps=16)
    random = Random(5)
    ended = 0
    for _ in range(3):
        process = subprocess.Popen(
            command(corpus, killed, steps=16),
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        begun = max(losses(killed), default=0)
        while max(losses(killed), default=0) <= begun and process.poll() is None:
            time.sleep(0.01)
        time.sleep(random.random() * 3)  # in a step, a validation or a checkpoint
        process.send_signal(signal.SIGKILL)
        ended += process.wait() == 0
    assert ended < 3
    run_alone(corpus, killed, steps=16)
    assert losses(killed) == losses(whole)
    assert len(losses(whole)) == 16
    one, other = (run / "model.safetensors" for run in (whole, killed))
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.slow
def test_sigterm_leaves_a_checkpoint_and_the_status_of_an_interruption(corpus, tmp_path):
    out = tmp_path / "run"
    process = subprocess.Popen(
        command(corpus, out, steps=1000),
        env=environment(),
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    while not losses(out):
        assert process.poll() is None
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGTERM)  # as a cluster does: to all processes, workers too
    output, _ = process.communicate()
    assert process.returncode == 130
    done = max(losses(out))
    assert f"stopped after step {done}; the same command goes on" in output.decode()
    assert (out / "checkpoints" / f"step-{done:08d}" / "state.json").is_file()


@pytest.mark.slow
@pytest.mark.parametrize(("launcher", "stage"), [("torchrun", 0), ("deepspeed", 3)])
def test_two_processes_train_as_one_and_each_goes_on_from_the_other(
    corpus, tmp_path, launcher, stage
):
    alone, both, back = (tmp_path / name for name in ("alone", "both", "back"))
    run_alone(corpus, alone, steps=6)
    run_alone(corpus, back, steps=6, minutes=0.0001)
    assert "2 of 2" in launch(launcher, corpus, both, steps=2, zero_stage=stage)
    assert max(losses(both)) == 2
    run_alone(corpus, both, steps=4, zero_stage=stage)  # 2 → 1
    launch(launcher, corpus, both, steps=6, zero_stage=stage)  # 1 → 2
    launch(launcher, corpus, back, steps=6, zero_stage=stage)
    for run in (both, back):
        # The rate of a step depends on how many there are: the first steps of "both" differ.
        same = range(1, 7) if run == back else range(1, 3)
        assert [losses(run)[step] for step in same] == pytest.approx(
            [losses(alone)[step] for step in same], rel=1e-4
        )
    assert torch.allclose(weights(back), weights(alone), atol=1e-4)


@pytest.mark.slow
def test_two_ranks_stopped_and_resumed_are_uninterrupted_to_the_bit(corpus, tmp_path):
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    for minutes, out in ((10, whole), (0.0001, stopped), (10, stopped)):
        launch("deepspeed", corpus, out, steps=4, zero_stage=1, minutes=minutes)
    assert losses(stopped) == losses(whole)
    assert torch.equal(weights(stopped), weights(whole))


SAME_WEIGHTS = """
import sys
from pathlib import Path
import torch
from rich.console import Console
from pretrain.config import TrainingConfig
from pretrain.objective.contrast import deal
from pretrain.engine.engine import gathered
from pretrain.run.job import Job
from pretrain.run.run_folder import RunFolder
from pretrain.run.session import Session
from pretrain.engine.world import start

world = start()
corpus, out, stage = Path(sys.argv[-3]), Path(sys.argv[-2]), int(sys.argv[-1])
config = TrainingConfig(
    steps=3, batch_size=4, token_budget=1000, precision="fp32", zero_stage=stage
)
job = Job(corpus, "", "tiny", {}, config, RunFolder(out, 1), None)
session = Session(job, world, Console(quiet=True))
before = session.training.contrast.state_dict()["encoder.model.function_encoder.cls"].clone()
session.run()
objective = session.training.engine.module
assert any(weight.numel() == 0 for weight in objective.parameters()) == (stage == 3)
with gathered(objective.parameters()):
    parts = [*objective.state_dict().values(), *objective.contrast.state_dict().values()]
    row = torch.cat([part.detach().float().flatten() for part in parts])
rows = deal([row[None]], [torch.tensor([world.rank])], 2)
assert torch.equal(rows[0], rows[1])
contrast = objective.contrast.state_dict()
assert (contrast["queue.classes"] >= 0).sum() == 12
assert not torch.equal(before, contrast["encoder.model.function_encoder.cls"])
print("the same on both")
"""


@pytest.mark.slow
@pytest.mark.parametrize("stage", [0, 3])
def test_every_rank_has_the_same_weights_momentum_encoder_and_queue(corpus, tmp_path, stage):
    script = tmp_path / "script.py"
    script.write_text(SAME_WEIGHTS)
    run = subprocess.run(
        [
            *(sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"),
            *(str(script), str(corpus), str(tmp_path / "run"), str(stage)),
        ],
        env=environment() | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
    )
    assert run.stdout.count("the same on both") == 2, run.stderr
