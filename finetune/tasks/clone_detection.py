"""Clone detection: programs that solve one problem are to lie near each other (MAP@R)."""

from __future__ import annotations

import numpy as np

from finetune.data.programs import Collection
from finetune.evaluation.intervals import confidence_interval
from finetune.evaluation.pairs import PairClassification, evaluate_clone_pairs
from finetune.evaluation.results import Result
from finetune.evaluation.retrieval import QueryScores, score_retrieval
from finetune.tasks.representations import Representation


def judge(pool: Collection, answer: Representation, seed: int = 0) -> Result:
    """MAP@R of a representation, with what it cannot read counted as lost.

    Besides: the figure without the lost programs, and how well one threshold on the cosine tells
    pairs of clones from others.
    """
    read = {program.name for program in answer.programs}
    lost = [program.label for program in pool.programs if program.name not in read]
    labels = [program.label for program in answer.programs]
    scores = score_retrieval(answer.vectors, labels, lost)
    kept = score_retrieval(answer.vectors, labels).figures if lost else scores.figures
    pairs = evaluate_clone_pairs(answer.vectors, labels, seed)
    return retrieval_result(scores, seed, kept.map_at_r, pairs, answer.model)


def retrieval_result(
    scores: QueryScores,
    seed: int = 0,
    without_lost: float | None = None,
    pairs: PairClassification | None = None,
    model: str | None = None,
) -> Result:
    """Scores as a row of results; the interval is over problems, not over programs."""
    more = {} if without_lost is None else {"map_at_r_without_lost": without_lost}
    if pairs is not None:
        more |= {"pair_precision": pairs.precision, "pair_recall": pairs.recall}
        more |= {"pair_f1": pairs.f1, "pair_threshold": pairs.threshold}
    interval = confidence_interval(scores.average_precision, np.asarray(scores.labels), seed)
    return Result(scores.figures, interval, more, model, scores.curve)
