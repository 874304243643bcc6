"""What the fine-tuning verbs start from: a model, and a corpus as it reads it."""

from __future__ import annotations

from pathlib import Path

import torch
from rich.console import Console

from oscar import OscarConfig, OscarModel, OscarTokenizer
from oscar.folder import CONFIG
from pretrain.data.encode import encode_corpus
from pretrain.data.encoded_corpus import EncodedCorpus
from pretrain.engine.world import World
from static_analysis import OscarError


def check_free(out: Path, force: bool) -> None:
    """Accept a folder to write a tuned model to.

    Raises:
        OscarError: there is a model in it, which `force` would replace.
    """
    if (out / CONFIG).exists() and not force:
        raise OscarError(f"{out} holds a model: name another folder with --out, or give --force")


def starting_model(folder: Path | None, preset: str, corpus: Path, seed: int) -> OscarModel:
    """The pretrained model, or one that has learned nothing, with a tokenizer of this corpus."""
    torch.manual_seed(seed)
    if folder is not None:
        return OscarModel.from_pretrained(folder)
    tokenizer = OscarTokenizer.train(corpus)
    model = OscarModel(OscarConfig.preset(preset, **tokenizer.config_fields()))
    model.tokenizer = tokenizer
    return model


def encoded_rows(
    corpus: Path, model: OscarModel, out: Path, world: World, console: Console
) -> EncodedCorpus:
    """All rows of a corpus as the model reads them, kept in `out`.

    Raises:
        OscarError: the model has no tokenizer.
    """
    tokenizer = model.tokenizer
    if tokenizer is None:
        raise OscarError("this model carries no tokenizer")
    return world.lead_first(
        lambda: encode_corpus(
            corpus, tokenizer, out / "encoded", shortest=1, shape=model.config, console=console
        )
    )
