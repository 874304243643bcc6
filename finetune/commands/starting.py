"""What the verbs start from: a free folder, a model, and a corpus as it reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from rich.console import Console

from finetune.data.stripped import without_names
from finetune.evaluation.results import METRICS
from finetune.training.config import RunOptions
from finetune.training.items import Items
from finetune.training.rows import Rows, TokenRows, keep_entries
from oscar import OscarConfig, OscarModel, OscarTokenizer
from oscar.folder import CONFIG
from oscar.memory import keep_freed_memory
from pretrain.data.encode import encode_corpus
from pretrain.engine.world import World, start
from static_analysis import OscarError

Options = TypeVar("Options", bound=RunOptions)


def check_free(out: Path, force: bool) -> None:
    """Accept a folder to write a tuned model to.

    Raises:
        OscarError: there is a model in it, which `force` would replace.
    """
    if (out / CONFIG).exists() and not force:
        raise OscarError(f"{out} holds a model: name another folder with --out, or give --force")


def check_share(valid_share: float) -> None:
    """Accept a share of functions to hold out.

    Raises:
        OscarError: it leaves nothing to learn from, or nothing to validate on.
    """
    if not 0 < valid_share < 1:
        raise OscarError(f"--valid-share {valid_share}: give a share between 0 and 1, such as 0.1")


def check_unwritten(out: Path, force: bool) -> None:
    """Accept a folder to write results to.

    Raises:
        OscarError: there are results in it, which `force` would replace.
    """
    if (out / METRICS).exists() and not force:
        raise OscarError(f"{out} holds results: name another folder with --out, or give --force")


def join(options: Options) -> tuple[World, Console, Options]:
    """Begin as one of the training processes, or as the only one.

    Returns:
        This process among the others, where it prints, and the options with a precision that its
        device can train in.

    Raises:
        TrainingError: the device cannot train in the precision asked for.
    """
    world = start()
    if world.device.type == "cpu":
        keep_freed_memory()
    precision = options.engine.resolved(world.device).precision
    return world, Console(quiet=not world.leads), replace(options, precision=precision)


def starting_model(
    folder: Path | None, preset: str, corpus: Path, options: RunOptions
) -> OscarModel:
    """The pretrained model, or one that has learned nothing, with a tokenizer of this corpus.

    Raises:
        OscarError: there is no such model or preset, or the options do not fit it.
    """
    torch.manual_seed(options.seed)
    if folder is not None:
        model = OscarModel.from_pretrained(folder)
    else:
        tokenizer = OscarTokenizer.train(corpus)
        model = OscarModel(OscarConfig.preset(preset, **tokenizer.config_fields()))
        model.tokenizer = tokenizer
    model.hide_entries(options.entry_dropout)
    return model


def rows_to_learn(
    corpus: Path,
    items: Sequence[Items],
    model: OscarModel,
    options: RunOptions,
    out: Path,
    world: World,
    console: Console,
    stripped: bool = False,
) -> Rows:
    """A corpus as the model reads it, in the form that the options ask for, kept in `out`.

    Args:
        corpus: its folder.
        items: what is learned from and judged by.
        model: with its tokenizer, on its device; its token level is frozen if the options say so.
        options: of the run.
        out: folder of the run.
        world: this process among the others, the first of which encodes.
        console: where to show how far it is.
        stripped: whether names are left out, as in a stripped binary.

    Raises:
        OscarError: the model has no tokenizer.
    """
    if model.tokenizer is None:
        raise OscarError("this model carries no tokenizer")
    reader = without_names(model.tokenizer) if stripped else model.tokenizer
    folder = out / ("encoded-stripped" if stripped else "encoded")
    encoded = world.lead_first(
        lambda: encode_corpus(
            corpus, reader, folder, shortest=1, shape=model.config, console=console
        )
    )
    tokens = TokenRows(encoded, model.config)
    if not options.freeze_token_level:
        return tokens
    model.freeze_token_level()
    wanted = np.unique(np.concatenate([part.rows for part in items]))
    return keep_entries(model, tokens, wanted, out / "entries", world, console)
