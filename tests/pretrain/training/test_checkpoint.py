import shutil

import pytest
import torch

from pretrain.config import TrainingConfig, TrainingError
from pretrain.data.batches import Batches
from pretrain.training.checkpoint import CheckpointFolder, CheckpointState, read_state
from pretrain.training.trainer import Trainer
from pretrain.training.training import build_training


@pytest.fixture(scope="module")
def run_of(world, small, melodies):
    """Builds a run: its trainer, and its batches."""

    def build(checkpoint=None, **options):
        config = TrainingConfig(
            **{"steps": 20, "batch_size": 3, "queue_size": 7, "validation_share": 0.0, **options}
        ).resolved(world.device)
        training = build_training(small, config, world, checkpoint)
        return Trainer(training, config, world, None), Batches(melodies, small, config)

    return build


def losses(run, steps):
    trainer, batches = run
    return [trainer.step(batches[step])["loss"] for step in steps]


def folder_of(path, keep=2):
    path.mkdir()
    return CheckpointFolder(path / "checkpoints", keep)


def states(run):
    trainer, _ = run
    objective = trainer.training.engine.module
    return {**objective.state_dict(), **objective.contrast.state_dict()}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"zero_stage": 3},
        *(
            pytest.param(options, marks=pytest.mark.slow)
            for options in (
                {"zero_stage": 1},
                {"zero_stage": 2, "offload": True},
                {"precision": "bf16"},
                {"contrast": "in-batch"},
            )
        ),
    ],
    ids=str,
)
def test_interrupted_and_resumed_is_uninterrupted_to_the_bit(tmp_path, world, run_of, options):
    whole = run_of(**options)
    expected = losses(whole, range(8))
    folder = folder_of(tmp_path / "run")
    first = run_of(**options)
    losses(first, range(5))
    folder.save(first[0].training, CheckpointState(5, "v"), world)
    second = run_of(folder.latest(), **options)
    assert losses(second, range(5, 8)) == expected[5:]
    ends = states(whole), states(second)
    assert ends[0].keys() == ends[1].keys()
    assert all(torch.equal(ends[0][name], ends[1][name]) for name in ends[0])


def test_a_checkpoint_is_no_pickle(tmp_path, world, run_of):
    folder = folder_of(tmp_path / "run")
    folder.save(run_of()[0].training, CheckpointState(1, "v"), world)
    assert {path.suffix for path in folder.latest().iterdir()} == {".safetensors", ".json"}


def test_the_newest_few_are_kept(tmp_path, world, run_of):
    folder, training = folder_of(tmp_path / "run", keep=2), run_of()[0].training
    assert folder.latest() is None
    assert folder.best() is None
    for step in (1, 2, 3):
        folder.save(training, CheckpointState(step, "v"), world)
    names = sorted(path.name for path in folder.path.iterdir())
    assert names == ["latest", "step-00000002", "step-00000003"]
    assert folder.latest().name == "step-00000003"
    assert folder.best() is None
    assert read_state(folder.latest()) == CheckpointState(3, "v")


def test_the_best_is_kept_too(tmp_path, world, run_of):
    folder, training = folder_of(tmp_path / "run", keep=1), run_of()[0].training
    for step, score in ((1, 3.0), (2, 1.0), (3, None), (4, 1.0), (5, 2.0)):
        folder.save(training, CheckpointState(step, "v", score=score), world)
        assert folder.best().name == ("step-00000001" if step == 1 else "step-00000002")
    names = sorted(path.name for path in folder.path.iterdir())
    assert names == ["best", "latest", "step-00000002", "step-00000005"]
    folder.save(training, CheckpointState(6, "v", score=0.5), world)
    assert folder.best() == folder.latest()
    names = sorted(path.name for path in folder.path.iterdir())
    assert names == ["best", "latest", "step-00000006"]


def test_what_a_killed_process_left_is_no_checkpoint(tmp_path, world, run_of):
    folder, training = folder_of(tmp_path / "run"), run_of()[0].training
    folder.save(training, CheckpointState(1, "v"), world)
    half = folder.path / ".incoming" / "step-00000002"
    shutil.copytree(folder.latest(), half)
    assert folder.latest().name == "step-00000001"
    folder.save(training, CheckpointState(3, "v"), world)
    assert folder.latest().name == "step-00000003"
    assert not half.exists()


def test_turning_back_removes_what_came_after(tmp_path, world, run_of):
    folder, training = folder_of(tmp_path / "run", keep=5), run_of()[0].training
    for step in (1, 2, 3):
        folder.save(training, CheckpointState(step, "v", score=-step), world)
    assert folder.best().name == "step-00000003"
    folder.turn_back(folder.path / "step-00000002")
    assert folder.latest().name == folder.best().name == "step-00000002"
    assert not (folder.path / "step-00000003").exists()
    folder.turn_back(None)
    assert folder.latest() is None
    assert folder.best() is None
    assert list(folder.path.glob("step-*")) == []


def test_a_folder_that_is_no_checkpoint_is_refused(tmp_path):
    with pytest.raises(TrainingError, match="is no checkpoint"):
        read_state(tmp_path)


def test_other_tokenizers_are_refused():
    with pytest.raises(TrainingError, match="knows vocabulary old, the run's tokenizers are new"):
        CheckpointState(5, "old").check_resumable("new")
