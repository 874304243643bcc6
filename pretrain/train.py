"""The verb `pretrain`: a corpus in, a model folder out."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from oscar.config import OscarConfig
from pretrain.classes import check_size
from pretrain.config import TrainingConfig
from pretrain.data import corpus_id
from pretrain.engine import start
from pretrain.run_folder import AUTO, NONE, RunFolder
from pretrain.session import Job, Session


def pretrain(
    corpus: Path,
    *,
    out: Path,
    preset: str = "tiny",
    steps: int = 1000,
    minutes: float | None = None,
    batch_size: int = 16,
    learning_rate: float = 5e-4,
    mask_rate: float = 0.15,
    moco_weight: float = 1.0,
    queue_size: int = 4096,
    min_instructions: int = 1,
    precision: str = "fp32",
    zero_stage: int = 0,
    checkpoint_every: int = 500,
    log_every: int = 10,
    seed: int = 0,
    resume: str = AUTO,
) -> None:
    """Train a model on a corpus without labels.

    Example: `oscar pretrain corpus --out run --preset tiny --steps 1000`

    Ctrl-C saves a checkpoint first, and the same command takes the run up again. Several processes:
    `deepspeed --num_accelerators 2 --module pretrain corpus --out run`.

    Args:
        corpus: Corpus folder, as `oscar preprocess` writes it.
        out: Folder of the run: the model, checkpoints/, tensorboard/ and metrics.jsonl.
        preset: Size of the model: tiny, small or base.
        steps: Optimiser steps of the whole run.
        minutes: Stop, resumably, after training this long.
        batch_size: Functions per step and process.
        learning_rate: Peak learning rate.
        mask_rate: Share of instructions, and of environment entries, to hide and guess.
        moco_weight: Weight of telling functions apart beside guessing tokens.
        queue_size: Functions of earlier steps to tell a function apart from.
        min_instructions: Shortest function to train on.
        precision: fp32, bf16 or fp16 (GPU only).
        zero_stage: DeepSpeed ZeRO stage, 0 to 2: what the processes share out among them.
        checkpoint_every: Steps between checkpoints.
        log_every: Steps between lines of metrics.
        seed: Seed of weights, batches, masks and dropout.
        resume: auto (the latest checkpoint if there is one), none (start over) or a checkpoint.
    """
    config = TrainingConfig(
        steps=steps,
        minutes=minutes,
        batch_size=batch_size,
        learning_rate=learning_rate,
        mask_rate=mask_rate,
        moco_weight=moco_weight,
        queue_size=queue_size,
        min_instructions=min_instructions,
        precision=precision,
        zero_stage=zero_stage,
        checkpoint_every=checkpoint_every,
        log_every=log_every,
        seed=seed,
    )
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
