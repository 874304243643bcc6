"""`oscar finetune clone-detection`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from finetune.commands.collections import check_clones, open_or_build
from finetune.commands.starting import check_free, join, rows_to_learn, starting_model
from finetune.data.learned_from import remember
from finetune.training.config import TuningConfig
from finetune.training.items import Items
from finetune.training.judging import RetrievalScore, put_alike_together
from finetune.training.model import tuning_model
from finetune.training.sampler import LabelSampler
from finetune.training.steps import Steps
from finetune.training.tuner import Tuner

DEFAULTS = TuningConfig()


def finetune_clones(
    programs: Path,
    *,
    valid: Path,
    out: Path,
    model: Path | None = None,
    preset: str = "tiny",
    corpus: Path | None = None,
    valid_corpus: Path | None = None,
    views: list[str] | None = None,
    per_label: int | None = None,
    valid_per_label: int = 50,
    force: bool = False,
    config: Path | None = None,
    options: Annotated[TuningConfig, Parameter(name="*")] = DEFAULTS,
) -> None:
    """Teach a model which programs solve the same problem.

    Example: `oscar finetune clone-detection train.jsonl.gz --valid valid.jsonl.gz --model run --out
    tuned --budget-minutes 60`

    The model that does best on the validation programs is kept in OUT, whatever ends the run.

    Args:
        programs: `.jsonl[.gz]` with `code` and `label` a line, as CodeXGLUE has POJ-104.
        valid: programs of other problems, to validate on.
        out: folder of the tuned model, its log, and corpora that are not there yet.
        model: folder of a pretrained model; default: begin with an untrained one.
        preset: size of an untrained model.
        corpus: the programs' corpus; default: OUT/corpus, built if it is not there.
        valid_corpus: the validation programs' corpus; default: OUT/valid-corpus.
        views: how many views of a program, or their names, if a corpus is built; default: O0 to O3.
        per_label: train on this many programs of each problem; default: all.
        valid_per_label: validate on this many programs of each problem.
        force: replace a model that is in OUT.
        config: a JSON file of these options by their names; flags come before it.
        options: the run's options, each a flag of its own.
    """
    check_free(out, force)
    world, console, options = join(options)
    chosen = views or ["4"]
    train = world.lead_first(
        lambda: open_or_build(programs, corpus or out / "corpus", chosen, per_label, options.seed)
    )
    check = world.lead_first(
        lambda: open_or_build(
            valid, valid_corpus or out / "valid-corpus", chosen, valid_per_label, options.seed
        )
    )
    check_clones(check)
    items, others = Items.of_programs(train), Items.of_programs(check)
    sampler = LabelSampler(
        items.labels, options.labels_per_batch, options.items_per_label, options.seed
    )
    tuned = starting_model(model, preset, train.corpus.path, options).to(world.device)
    rows, held_out = (
        rows_to_learn(collection.corpus.path, [part], tuned, options, out, world, console)
        for collection, part in ((train, items), (check, others))
    )
    steps = Steps(items, rows, options, sampler, world.rank, world.size)
    problems = len(sampler.names)
    facts = {"programs": len(items), "problems": problems, "from": str(model)}
    if world.leads:
        remember(out, train.programs, "", model)
    tuning = tuning_model(tuned, problems, options)
    tuner = Tuner(tuning, steps, options, world, out, facts)
    score = RetrievalScore(others, held_out)
    refresh = put_alike_together(options, sampler, items, rows, tuned)
    done = tuner.run(partial(score, tuned), console, refresh)
    console.print(f"{done} steps; best MAP@R on {valid}: {100 * tuner.best:.1f} %: {out}")
