"""`oscar finetune binary-diffing`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from finetune.commands.starting import check_free, check_share, join, rows_to_learn, starting_model
from finetune.training.builds import Builds, LevelScore
from finetune.training.config import BuildsConfig
from finetune.training.judging import put_alike_together
from finetune.training.model import tuning_model
from finetune.training.sampler import LabelSampler
from finetune.training.steps import Steps
from finetune.training.tuner import Tuner
from static_analysis import OscarError

DEFAULTS = BuildsConfig()
LEAST_FUNCTIONS = 2


def finetune_diffing(
    corpus: Path,
    /,
    *,
    out: Path,
    model: Path | None = None,
    preset: str = "tiny",
    valid_share: float = 0.1,
    keep_names: bool = False,
    force: bool = False,
    config: Path | None = None,
    options: Annotated[BuildsConfig, Parameter(name="*")] = DEFAULTS,
) -> None:
    """Teach a model to know a function again at another optimisation level.

    Example: `oscar finetune binary-diffing corpus --model run --out tuned --budget-minutes 30`

    The labels are the functions, the items their views, and no name is read, as in a stripped
    binary. The model that finds the most held-out functions is kept in OUT, whatever ends the run.

    Args:
        corpus: made by `oscar preprocess` of one or more projects, in views O0 to O3 or more.
        out: folder of the tuned model and its log.
        model: folder of a pretrained model; default: begin with an untrained one.
        preset: size of an untrained model.
        valid_share: share of the functions to hold out, to validate on.
        keep_names: let the names of called functions, globals and types be read.
        force: replace a model that is in OUT.
        config: a JSON file of these options by their names; flags come before it.
        options: the run's options, each a flag of its own.
    """
    check_free(out, force)
    check_share(valid_share)
    builds = Builds.of(corpus, keep_names)
    train, check = builds.split(valid_share, options.seed)
    ends = check.ends()
    _check_enough(corpus, len(train), len(ends[0]))
    sampler = LabelSampler(
        train.items.labels, options.labels_per_batch, options.items_per_label, options.seed
    )
    world, console, options = join(options)
    tuned = starting_model(model, preset, corpus, options).to(world.device)
    parts = [train.items, *ends]
    rows = rows_to_learn(corpus, parts, tuned, options, out, world, console, not keep_names)
    score = LevelScore(check, rows)
    tuning = tuning_model(tuned, len(sampler.names), options)
    steps = Steps(train.items, rows, options, sampler, world.rank, world.size)
    facts = {"functions": len(train), "held_out": len(score), "from": str(model)}
    tuner = Tuner(tuning, steps, options, world, out, facts)
    refresh = put_alike_together(options, sampler, train.items, rows, tuned)
    done = tuner.run(partial(score, tuned), console, refresh)
    console.print(
        f"{done} steps on {len(train)} functions; best recall@1 of {len(score)} held-out functions "
        f"at another level: {100 * tuner.best:.1f} %: {out}"
    )


def _check_enough(corpus: Path, learned: int, held_out: int) -> None:
    """Accept what a corpus gives to learn from and to validate on.

    Raises:
        OscarError: it is too little.
    """
    if min(learned, held_out) < LEAST_FUNCTIONS:
        raise OscarError(
            f"{corpus} gives {learned} functions in two views to learn from and {held_out} held "
            f"out at two levels: {LEAST_FUNCTIONS} of each are needed: preprocess more sources, "
            "with --views O0,O1,O2,O3, or hold more out with --valid-share"
        )
