"""`oscar evaluate classification`."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from finetune.commands.collections import open_or_build
from finetune.commands.printing import announced, finish
from finetune.commands.starting import check_unwritten
from finetune.data.learned_from import check_unseen
from finetune.evaluation.results import Evaluation, Result
from finetune.tasks.classification import Split, probe
from finetune.tasks.representations import (
    baseline_representations,
    load_models,
    model_representations,
)
from oscar.commands.console import output


def evaluate_classes(
    programs: Path,
    *,
    out: Path,
    model: list[Path] | None = None,
    corpus: Path | None = None,
    views: list[str] | None = None,
    no_baselines: bool = False,
    per_label: int | None = None,
    force: bool = False,
    seed: int = 0,
) -> None:
    """Learn a linear classifier on frozen vectors: which problem does a program solve?

    Example: `oscar evaluate classification train.jsonl.gz --model run --out results`

    Of each problem 60 % of the programs are learned from, 20 % choose the regularisation, 20 % are
    judged. Programs that do not lower count as errors. A model that `oscar finetune classification`
    has tuned is judged with the --seed and --per-label of its tuning: only then does it not know
    the programs that judge it.

    Args:
        programs: `.jsonl[.gz]` with `code` and `label` a line.
        out: folder for metrics.json, results.md, and the corpus if it is not there yet.
        model: model folders; an untrained model of the first's shape is added.
        corpus: the programs' corpus; default: OUT/corpus, built if it is not there.
        views: how many views of a program to average over, or their names, if its corpus is
            built; default: O0 to O3.
        no_baselines: judge the models only.
        per_label: take this many programs of each problem; default: all.
        force: replace results that are in OUT.
        seed: of the split, of choices and of untrained weights.
    """
    check_unwritten(out, force)
    console = output()
    models = load_models(model)
    pool = open_or_build(programs, corpus or out / "corpus", views or ["4"], per_label, seed)
    split = Split.of(pool.programs, seed)
    for path in model or ():
        check_unseen(path, split.test)
    answers = chain(
        () if no_baselines else baseline_representations(pool, None, seed),
        model_representations(pool, models, seed=seed),
    )
    results = {
        answer.name: Result(probe(split, answer.programs, answer.vectors), model=answer.model)
        for answer in announced(console, answers)
    }
    facts = {
        "programs": f"{len(pool.programs)} of {programs}",
        "problems": len({program.label for program in pool.programs}),
        "lost": len(pool.lost),
        "learned_from": len(split.train),
        "chosen_by": len(split.validation),
        "judged": len(split.test),
        "seed": seed,
    }
    title, task = "Problem of a program, by a linear probe", f"classification of {programs.name}"
    finish(console, Evaluation(title, results, facts, task), out)
