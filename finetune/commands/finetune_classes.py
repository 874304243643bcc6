"""`oscar finetune classification`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from finetune.commands.collections import open_or_build
from finetune.commands.starting import check_free, join, rows_to_learn, starting_model
from finetune.data.learned_from import remember
from finetune.data.programs import choose
from finetune.tasks.classification import Split, check_readable
from finetune.training.classifier import Classifier, ClassScore
from finetune.training.config import ClassConfig
from finetune.training.items import Items
from finetune.training.sampler import EpochSampler
from finetune.training.steps import Steps
from finetune.training.tuner import Tuner
from static_analysis import OscarError

DEFAULTS = ClassConfig()


def finetune_classes(
    programs: Path,
    *,
    out: Path,
    model: Path | None = None,
    preset: str = "tiny",
    corpus: Path | None = None,
    views: list[str] | None = None,
    per_label: int | None = None,
    valid_per_label: int = 10,
    force: bool = False,
    config: Path | None = None,
    options: Annotated[ClassConfig, Parameter(name="*")] = DEFAULTS,
) -> None:
    """Teach a model which problem a program solves.

    Example: `oscar finetune classification train.jsonl.gz --model run --out tuned --budget-minutes
    60`

    Of each problem 60 % of the programs are learned from, 20 % tell which model is the best, and
    the other 20 % are left for `oscar evaluate classification`, which parts them in the same way:
    give it the same --seed and --per-label. The best model is kept in OUT, whatever ends the run.

    Args:
        programs: `.jsonl[.gz]` with `code` and `label` a line.
        out: folder of the tuned model, its log, and the corpus if it is not there yet.
        model: folder of a pretrained model; default: begin with an untrained one.
        preset: size of an untrained model.
        corpus: the programs' corpus; default: OUT/corpus, built if it is not there.
        views: how many views of a program, or their names, if its corpus is built; default: O0 to
            O3.
        per_label: take this many programs of each problem; default: all.
        valid_per_label: validate on this many programs of each problem, of those held out for it.
        force: replace a model that is in OUT.
        config: a JSON file of these options by their names; flags come before it.
        options: the run's options, each a flag of its own.
    """
    check_free(out, force)
    if valid_per_label < 1:
        raise OscarError(f"--valid-per-label {valid_per_label}: validate on one or more of each")
    world, console, options = join(options)
    pool = world.lead_first(
        lambda: open_or_build(
            programs, corpus or out / "corpus", views or ["4"], per_label, options.seed
        )
    )
    split = Split.of(pool.programs, options.seed)
    held_out = choose(split.validation, valid_per_label, options.seed)
    train, check = Items.of_parts(pool, [split.train, held_out])
    check_readable(train.labels, check.labels)
    tuned = starting_model(model, preset, pool.corpus.path, options)
    classifier = Classifier(tuned, sorted(set(train.labels)), options.temperature)
    classifier.to(world.device)
    both = [train, check]
    rows = rows_to_learn(pool.corpus.path, both, tuned, options, out, world, console)
    sampler = EpochSampler(len(train), options.batch_size, options.seed)
    steps = Steps(train, rows, options, sampler, world.rank, world.size)
    facts = {"programs": len(train), "problems": len(classifier.classes), "from": str(model)}
    if world.leads:
        parts = f"--seed {options.seed}" + (f" --per-label {per_label}" if per_label else "")
        remember(out, [*split.train, *split.validation], parts, model)
    tuner = Tuner(classifier, steps, options, world, out, facts)
    score = ClassScore(check, rows, lost=len(held_out) - len(check))
    done = tuner.run(partial(score, classifier), console)
    console.print(
        f"{done} steps on {len(train)} programs; lowest error on {len(held_out)} others: "
        f"{100 - 100 * tuner.best:.1f} %: {out}"
    )
