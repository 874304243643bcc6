"""The verb `pretrain`: a corpus in, a model folder out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from oscar.config import OscarConfig
from pretrain.classes import check_size
from pretrain.config import TrainingConfig
from pretrain.data import corpus_id
from pretrain.engine import start
from pretrain.job import Job
from pretrain.run_folder import AUTO, NONE, RunFolder
from pretrain.session import Session

DEFAULTS = TrainingConfig()


def pretrain(
    corpus: Path,
    /,
    *,
    out: Path,
    preset: str = "tiny",
    resume: str = AUTO,
    config: Annotated[TrainingConfig, Parameter(name="*")] = DEFAULTS,
) -> None:
    """Train a model on a corpus without labels.

    Example: `oscar pretrain corpus --out run --preset tiny --steps 1000`

    Ctrl-C saves a checkpoint first, and the same command takes the run up again. Several processes:
    `deepspeed --num_accelerators 2 --module pretrain corpus --out run`.

    Args:
        corpus: Corpus folder, as `oscar preprocess` writes it.
        out: Folder of the run: the model, checkpoints/, tensorboard/ and metrics.jsonl.
        preset: Size of the model: tiny, small or base.
        resume: auto (the latest checkpoint if there is one), none (start over) or a checkpoint.
        config: The run's options, each a flag of its own.
    """
    train(corpus, out, config, preset=preset, resume=resume)


def train(
    corpus: Path, out: Path, config: TrainingConfig, *, preset: str = "tiny", resume: str = AUTO
) -> None:
    """Starts a run, or takes it up where its checkpoint stands; a finished run is left alone.

    Where the model of a finished run is missing, or a checkpoint is named, the model is written
    again.

    Args:
        corpus: Corpus folder.
        out: Folder of the run.
        config: The run's options.
        preset: Size of the model.
        resume: "auto" (the latest checkpoint if there is one), "none" (start over) or the path of
            a checkpoint of this run.

    Raises:
        OscarError: The corpus cannot be read or is too small; `out` holds another run or something
            else, or another process is training into it.
        KeyboardInterrupt: Ctrl-C or SIGTERM; the state is saved.
    """
    OscarConfig.preset(preset)
    folder = RunFolder(out, config.keep)
    corpus_hash = corpus_id(corpus)
    check_size(corpus, config.min_instructions)
    folder.check_usable(resume)
    world = start()
    config.check_device(world.device)
    with folder.locked(world):
        if resume != NONE:
            folder.check_same_run(preset, corpus_hash, config)
        job = Job(corpus, corpus_hash, preset, config, folder, folder.checkpoint_to_resume(resume))
        console = Console(quiet=not world.leads)
        if resume == AUTO and job.finished:
            console.print(f"{out} is finished; more with a larger --steps")
        else:
            Session(job, world, console).run()
