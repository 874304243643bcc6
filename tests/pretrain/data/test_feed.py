import multiprocessing
import subprocess
import sys

import pytest
import torch

from oscar.config import OscarConfig
from oscar.tokenizer import OscarTokenizer
from pretrain.config import TrainingConfig
from pretrain.data.batches import Batches
from pretrain.data.encode import encode_corpus
from pretrain.data.feed import feed
from pretrain.training.broken import named_tensors


@pytest.fixture(scope="module")
def batches(corpus, tmp_path_factory):
    tokenizer = OscarTokenizer.train(corpus)
    shape = OscarConfig.preset("tiny", **tokenizer.config_fields())
    folder = tmp_path_factory.mktemp("encoded")
    encoded = encode_corpus(corpus, tokenizer, folder, shortest=1, shape=shape)
    return Batches(encoded, shape, TrainingConfig(batch_size=4, token_budget=2000))


@pytest.mark.slow
def test_workers_make_the_steps_that_the_trainer_would(batches):
    steps = list(feed(batches, 2, 8, workers=2))
    assert [step.number for step in steps] == list(range(2, 8))
    for step in steps:
        own = dict(named_tensors(batches[step.number].parts))
        made = dict(named_tensors(step.parts))
        assert own.keys() == made.keys()
        assert all(torch.equal(own[name], made[name]) for name in own)


@pytest.mark.slow
def test_workers_end_with_the_steps(batches):
    steps = feed(batches, 0, 3, workers=1)
    next(steps)
    assert multiprocessing.active_children()
    list(steps)
    del steps
    assert not multiprocessing.active_children()


SCRIPT = """
import sys
from pathlib import Path
from pretrain.config import TrainingConfig
from pretrain.train import train

options = {"steps": 2, "batch_size": 2, "queue_size": 8, "workers": 1}
train(Path(sys.argv[1]), Path(sys.argv[2]), TrainingConfig(**options))
print("once")
"""

LEAVES = """
import sys
from pathlib import Path
from oscar.config import OscarConfig
from pretrain.data.batches import Batches
from pretrain.config import TrainingConfig
from pretrain.data.encoded_corpus import EncodedCorpus
from pretrain.data.feed import feed

config = TrainingConfig(batch_size=4)
batches = Batches(EncodedCorpus(Path(sys.argv[1])), OscarConfig.preset("tiny"), config)
steps = feed(batches, 0, 1000, workers=1)
print(next(steps).number)
"""


@pytest.mark.slow
def test_a_process_that_leaves_in_the_middle_does_not_wait_for_its_workers(batches, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(LEAVES)
    run = subprocess.run(
        [sys.executable, str(script), str(batches._corpus.folder)],
        capture_output=True,
        text=True,
        env=alone(),
        timeout=120,
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "0\n", "")


@pytest.mark.slow
def test_a_script_without_a_main_guard_trains_once(corpus, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    run = subprocess.run(
        [sys.executable, str(script), str(corpus), str(tmp_path / "run")],
        capture_output=True,
        text=True,
        env=alone(),
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.count("once") == 1


def alone() -> dict[str, str]:
    """This environment without the process group of this test process."""
    import os

    names = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_PORT")
    return {name: value for name, value in os.environ.items() if name not in names}
