"""The verb `pretrain`: a corpus in, a model folder out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import Console

from oscar.memory import keep_freed_memory
from pretrain.config import TrainingConfig
from pretrain.data.classes import check_size
from pretrain.data.encoded_corpus import corpus_id
from pretrain.engine.world import start
from pretrain.run.job import Job
from pretrain.run.run_folder import AUTO, NONE, RunFolder
from pretrain.run.session import Session

DEFAULTS = TrainingConfig()
_WORDS = {"true": True, "false": False, "none": None}


def pretrain(
    corpus: Path,
    /,
    *,
    out: Path,
    preset: str = "tiny",
    model: Annotated[dict[str, str] | None, Parameter(name="--model")] = None,
    resume: str = AUTO,
    config: Path | None = None,
    options: Annotated[TrainingConfig, Parameter(name="*")] = DEFAULTS,
) -> None:
    """Train a model on a corpus without labels.

    Example: `oscar pretrain corpus --out run --preset tiny --steps 1000`

    Ctrl-C saves a checkpoint first, and the same command takes the run up again. Several processes:
    `deepspeed --num_accelerators 2 --module pretrain corpus --out run`, or
    `torchrun --nproc-per-node 2 -m pretrain corpus --out run`.

    Args:
        corpus: Corpus folder, as `oscar preprocess` writes it.
        out: Folder of the run: the model, checkpoints/, tensorboard/, metrics.jsonl, report.html.
        preset: Size of the model: tiny, small or base.
        model: A field of the model's configuration that differs from the preset, such as
            `--model.pce false` or `--model.n_features 32`.
        resume: auto (the latest checkpoint if there is one), none (start over) or a checkpoint.
        config: A JSON file of these options by their names; flags come before it.
        options: The run's options, each a flag of its own.
    """
    fields = {name: _value(text) for name, text in (model or {}).items()}
    train(corpus, out, options, preset=preset, model=fields, resume=resume)


def train(
    corpus: Path,
    out: Path,
    config: TrainingConfig,
    *,
    preset: str = "tiny",
    model: Mapping[str, Any] | None = None,
    resume: str = AUTO,
) -> None:
    """Starts a run, or takes it up where its checkpoint stands; a finished run is left alone.

    Where the model of a finished run is missing, or a checkpoint is named, the model is written
    again.

    Args:
        corpus: Corpus folder.
        out: Folder of the run.
        config: The run's options.
        preset: Size of the model.
        model: Fields of the `OscarConfig` that differ from the preset.
        resume: "auto" (the latest checkpoint if there is one), "none" (start over) or the path of
            a checkpoint of this run.

    Raises:
        OscarError: The corpus cannot be read or is too small; `out` holds another run or something
            else, or another process is training into it.
        KeyboardInterrupt: Ctrl-C or SIGTERM; the state is saved.
    """
    folder = RunFolder(out, config.keep)
    corpus_hash = corpus_id(corpus)
    check_size(corpus, config.min_instructions, config.validation_share, config.seed)
    folder.check_usable(resume)
    world = start()
    if world.device.type == "cpu":
        keep_freed_memory()
    config = config.resolved(world.device)
    config.check_processes(world.size)
    job = Job(corpus, corpus_hash, preset, dict(model or {}), config, folder, None)
    job.shape()
    with folder.locked(world):
        if resume != NONE:
            folder.check_same_run(job.decisive)
        job = replace(job, checkpoint=folder.checkpoint_to_resume(resume))
        console = Console(quiet=not world.leads)
        if resume == AUTO and job.finished:
            console.print(f"{out} is finished; more with a larger --steps")
        else:
            Session(job, world, console).run()


def _value(text: str) -> Any:
    """What a word of the command line stands for: a number, true, false, none, or itself."""
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text
