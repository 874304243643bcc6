"""`oscar evaluate clone-detection`."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from finetune.commands.collections import open_or_build
from finetune.commands.printing import announced, finish
from finetune.composition import COMPOSITIONS
from finetune.evaluation.predictions import score_predictions
from finetune.evaluation.results import Evaluation
from finetune.tasks.clone_detection import judge, retrieval_result
from finetune.tasks.representations import baseline_representations, model_representations
from oscar import OscarModel
from oscar.commands.console import output
from static_analysis import OscarError


def evaluate_clones(
    programs: Path,
    *,
    out: Path,
    model: list[Path] | None = None,
    corpus: Path | None = None,
    train: Path | None = None,
    train_corpus: Path | None = None,
    views: list[str] | None = None,
    composition: str = "reachable",
    no_baselines: bool = False,
    per_label: int | None = None,
    predictions: Path | None = None,
    seed: int = 0,
) -> None:
    """Take each program as a query among all others: does it find those of its problem?

    Example: `oscar evaluate clone-detection valid.jsonl.gz --model run --train train.jsonl.gz --out
    results`

    The headline counts programs that do not lower as queries that find nothing and as answers that
    no query finds; `map at r without lost` leaves them out.

    Args:
        programs: `.jsonl[.gz]` with `code` and `label` a line, as CodeXGLUE has POJ-104.
        out: folder for metrics.json, results.md and corpora that are not there yet.
        model: model folders; an untrained model of the first's shape is added.
        corpus: the programs' corpus; default: OUT/corpus, built if it is not there.
        train: programs of other problems, from which baselines learn projections (100 of each).
        train_corpus: their corpus; default: OUT/train-corpus, built if it is not there.
        views: how many views of a program to average over, or their names, if its corpus is
            built; default: O0 to O3.
        composition: how functions make up a program: reachable, length or mean.
        no_baselines: judge the models only.
        per_label: judge this many programs of each problem; default: all.
        predictions: judge this file of rankings, in CodeXGLUE's form, and nothing else.
        seed: of choices and untrained weights.
    """
    console = output()
    if predictions is not None:
        result = retrieval_result(score_predictions(programs, predictions), seed)
        facts: dict[str, object] = {"programs": str(programs), "predictions": str(predictions)}
        finish(console, Evaluation("Rankings", {predictions.name: result}, facts), out)
        return
    if composition not in COMPOSITIONS:
        raise OscarError(f"no composition {composition!r}: choose among {', '.join(COMPOSITIONS)}")
    models = {str(path): OscarModel.from_pretrained(path) for path in model or ()}
    pool = open_or_build(programs, corpus or out / "corpus", views or ["4"], per_label, seed)
    known = None
    if train is not None and not no_baselines:
        known = open_or_build(train, train_corpus or out / "train-corpus", ["O0"], 100, seed)
    answers = chain(
        () if no_baselines else baseline_representations(pool, known, seed),
        model_representations(pool, models, COMPOSITIONS[composition], seed),
    )
    results = {answer.name: judge(pool, answer, seed) for answer in announced(console, answers)}
    facts = {
        "programs": f"{len(pool.programs)} of {programs}",
        "problems": len({program.label for program in pool.programs}),
        "lost": len(pool.lost),
        "views": " ".join(pool.corpus.views),
        "composition": composition,
        "learned_from": f"{len(known.programs)} of {train}" if known else "nothing",
        "seed": seed,
    }
    title = f"Programs of one problem among {len(pool.programs)}"
    finish(console, Evaluation(title, results, facts), out)
