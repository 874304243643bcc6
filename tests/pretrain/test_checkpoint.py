import shutil

import pytest
import torch

from pretrain.batches import Batches
from pretrain.checkpoint import CheckpointFolder, CheckpointState, load, read_state
from pretrain.config import TrainingConfig, TrainingError
from pretrain.trainer import Trainer
from pretrain.training import build_training


@pytest.fixture(scope="module")
def trainer_of(world, small, melodies):
    def build(**options) -> Trainer:
        config = TrainingConfig(**{"steps": 20, "batch_size": 3, "queue_size": 7, **options})
        training = build_training(small, config, world)
        return Trainer(training, Batches(melodies, small, config), config, world)

    return build


def losses(trainer, steps):
    return [trainer.step(step)["loss"].item() for step in steps]


def folder_of(path, keep=2):
    path.mkdir()
    return CheckpointFolder(path / "checkpoints", keep)


@pytest.mark.parametrize(
    "options", [{}, {"zero_stage": 1}, {"zero_stage": 2}, {"precision": "bf16"}]
)
def test_interrupted_and_resumed_is_uninterrupted_to_the_bit(tmp_path, world, trainer_of, options):
    whole = trainer_of(**options)
    expected = losses(whole, range(8))
    folder = folder_of(tmp_path / "run")
    first = trainer_of(**options)
    losses(first, range(5))
    folder.save(first.training, CheckpointState(5, 1, options.get("zero_stage", 0), "v"), world)
    second = trainer_of(**options, seed=0)
    losses(second, range(10, 12))  # a state that loading must undo
    load(folder.latest(), second.training)
    assert losses(second, range(5, 8)) == expected[5:]
    for one, other in (
        (whole.training.momentum.encoder, second.training.momentum.encoder),
        (whole.training.engine.module, second.training.engine.module),
    ):
        for a, b in zip(one.state_dict().values(), other.state_dict().values(), strict=True):
            assert torch.equal(a, b)
    assert torch.equal(whole.training.queue.keys, second.training.queue.keys)


def test_the_newest_few_are_kept(tmp_path, world, trainer_of):
    folder, trainer = folder_of(tmp_path / "run", keep=2), trainer_of()
    assert folder.latest() is None
    for step in (1, 2, 3):
        folder.save(trainer.training, CheckpointState(step, 1, 0, "v"), world)
    names = sorted(path.name for path in folder.path.iterdir())
    assert names == ["latest", "step-00000002", "step-00000003"]
    assert folder.latest().name == "step-00000003"
    assert read_state(folder.latest()) == CheckpointState(3, 1, 0, "v")


def test_what_a_killed_process_left_is_no_checkpoint(tmp_path, world, trainer_of):
    folder, trainer = folder_of(tmp_path / "run"), trainer_of()
    folder.save(trainer.training, CheckpointState(1, 1, 0, "v"), world)
    half = folder.path / ".incoming" / "step-00000002"
    shutil.copytree(folder.latest(), half)
    assert folder.latest().name == "step-00000001"
    folder.save(trainer.training, CheckpointState(3, 1, 0, "v"), world)
    assert folder.latest().name == "step-00000003"
    assert not half.exists()


def test_turning_back_removes_what_came_after(tmp_path, world, trainer_of):
    folder, trainer = folder_of(tmp_path / "run", keep=5), trainer_of()
    for step in (1, 2, 3):
        folder.save(trainer.training, CheckpointState(step, 1, 0, "v"), world)
    folder.turn_back(folder.path / "step-00000002")
    assert folder.latest().name == "step-00000002"
    assert not (folder.path / "step-00000003").exists()
    folder.turn_back(None)
    assert folder.latest() is None
    assert list(folder.path.glob("step-*")) == []


def test_a_folder_that_is_no_checkpoint_is_refused(tmp_path):
    with pytest.raises(TrainingError, match="is no checkpoint"):
        read_state(tmp_path)


def test_another_number_of_processes_is_refused_where_the_optimiser_is_spread():
    CheckpointState(5, 2, 0, "v").check_resumable(3, "v")
    CheckpointState(5, 2, 1, "v").check_resumable(2, "v")
    with pytest.raises(TrainingError, match=r"2 processes with ZeRO stage 1 .* run 2 again"):
        CheckpointState(5, 2, 1, "v").check_resumable(1, "v")


def test_other_tokenizers_are_refused():
    with pytest.raises(TrainingError, match="knows vocabulary old, the run's tokenizers are new"):
        CheckpointState(5, 1, 0, "old").check_resumable(1, "new")
