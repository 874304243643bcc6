"""`oscar evaluate clone-detection`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from rich.console import Console

from finetune.baselines.ir2vec import installed
from finetune.commands.collections import check_clones, open_or_build
from finetune.commands.printing import announced, finish
from finetune.commands.starting import check_unwritten
from finetune.composition import COMPOSITIONS
from finetune.data.learned_from import check_unseen
from finetune.data.programs import Collection
from finetune.evaluation.picture import draw_curves, draw_map
from finetune.evaluation.predictions import score_predictions
from finetune.evaluation.results import Evaluation, Result
from finetune.tasks.clone_detection import judge, retrieval_result
from finetune.tasks.representations import (
    DEFAULT,
    Representation,
    baseline_representations,
    ir2vec_representations,
    load_models,
    projected_representations,
)
from oscar.commands.console import output, plain
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
    composition: list[str] | None = None,
    no_baselines: bool = False,
    per_label: int | None = None,
    predictions: Path | None = None,
    force: bool = False,
    seed: int = 0,
) -> None:
    """Take each program as a query among all others: does it find those of its problem?

    Example: `oscar evaluate clone-detection valid.jsonl.gz --model run --train train.jsonl.gz --out
    results`

    The headline counts programs that do not lower as queries that find nothing and as answers that
    no query finds; `map at r without lost` leaves them out.

    Each model is judged as it is, whitened, and where there are training programs behind a linear
    projection learned from them (LDA).

    Args:
        programs: `.jsonl[.gz]` with `code` and `label` a line, as CodeXGLUE has POJ-104.
        out: folder for metrics.json, results.md, pictures, and corpora that are not there yet.
        model: model folders; an untrained model of the first's shape is added.
        corpus: the programs' corpus; default: OUT/corpus, built if it is not there.
        train: programs of other problems, from which projections are learned (100 of each).
        train_corpus: their corpus; default: OUT/train-corpus, built if it is not there.
        views: how many views of a program to average over, or their names, if its corpus is
            built; default: O0 to O3.
        composition: how functions make up a program: reachable, length or mean; several are
            compared.
        no_baselines: judge the models only.
        per_label: judge this many programs of each problem; default: all.
        predictions: judge this file of rankings, in CodeXGLUE's form, and nothing else.
        force: replace results that are in OUT.
        seed: of choices and untrained weights.
    """
    check_unwritten(out, force)
    console = output()
    if predictions is not None:
        finish(console, _rankings(programs, predictions, seed), out)
        return
    compositions = composition or list(DEFAULT)
    _check_compositions(compositions)
    models = load_models(model)
    chosen = views or ["4"]
    pool = open_or_build(programs, corpus or out / "corpus", chosen, per_label, seed)
    known = None
    if train is not None:
        known = open_or_build(train, train_corpus or out / "train-corpus", chosen, 100, seed)
    check_clones(pool)
    if known is not None:
        check_clones(known)
    for path in model or ():
        check_unseen(path, pool.programs)
    answers = chain(
        () if no_baselines else _baselines(pool, known, console, seed),
        projected_representations(pool, known, models, compositions, seed),
    )
    results: dict[str, Result] = {}
    of_models: list[Representation] = []
    for answer in announced(console, answers):
        results[answer.name] = judge(pool, answer, seed)
        if answer.model is not None:
            of_models.append(answer)
    facts = {
        **_facts(pool, known),
        "composition": " ".join(compositions),
        "seed": seed,
    }
    title = f"Programs of one problem among {len(pool.programs)}"
    task = f"clone detection on {programs.name}"
    finish(console, Evaluation(title, results, facts, task, _draw(out, results, of_models)), out)


def _baselines(
    pool: Collection, known: Collection | None, console: Console, seed: int
) -> Iterator[Representation]:
    """All baselines; a line says why IR2Vec is left out where it is."""
    yield from baseline_representations(pool, known, seed)
    if not installed():
        console.print(plain("IR2Vec is left out: pip install 'oscar-ir[ir2vec]' (Python 3.11)"))
        return
    answers = list(ir2vec_representations(pool))
    if not answers:
        console.print("IR2Vec is left out: it cannot read the programs")
    yield from answers


def _rankings(programs: Path, predictions: Path, seed: int) -> Evaluation:
    """Judge rankings that another program made."""
    result = retrieval_result(score_predictions(programs, predictions), seed)
    facts = {"programs": str(programs), "predictions": str(predictions)}
    return Evaluation("Rankings", {predictions.name: result}, facts)


def _facts(pool: Collection, known: Collection | None) -> dict[str, object]:
    return {
        "programs": f"{len(pool.programs)} of {pool.path}",
        "problems": len({program.label for program in pool.programs}),
        "lost": len(pool.lost),
        "views": " ".join(pool.corpus.views),
        "learned_from": f"{len(known.programs)} of {known.path}" if known else "nothing",
    }


def _check_compositions(names: Sequence[str]) -> None:
    """Accept names of compositions.

    Raises:
        OscarError: one is unknown.
    """
    unknown = next((name for name in names if name not in COMPOSITIONS), None)
    if unknown is not None:
        raise OscarError(f"no composition {unknown!r}: choose among {', '.join(COMPOSITIONS)}")


def _draw(
    out: Path, results: dict[str, Result], answers: Sequence[Representation]
) -> dict[str, str]:
    """Draw precision over recall of all results, and a map of each model's best representation.

    Returns:
        File names, and what the files show.
    """
    curves = {name: result.curve for name, result in results.items() if result.curve is not None}
    if not curves:
        return {}
    strong = [answer.name for answer in answers]
    draw_curves(out / "precision-recall.svg", curves, "recall", "precision", strong=strong)
    pictures = {"precision-recall.svg": "Precision and recall of the first k answers, for all k"}
    best = {
        answer.model: answer for answer in sorted(answers, key=lambda a: results[a.name].headline)
    }
    for number, answer in enumerate(best.values(), 1):
        file = f"map-{number}.png"
        draw_map(out / file, answer.vectors, [program.label for program in answer.programs])
        pictures[file] = f"Map of {answer.name}"
    return pictures
