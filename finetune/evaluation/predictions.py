"""Rankings made by another program, in CodeXGLUE's form, checked before they are judged."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from finetune.evaluation.retrieval import (
    QueryScores,
    average_precision_at_r,
    reciprocal_ranks,
)
from static_analysis import OscarError


def score_predictions(programs: Path, predictions: Path) -> QueryScores:
    """Judge a file of rankings.

    Args:
        programs: `.jsonl[.gz]` with `index` and `label` a line.
        predictions: `.jsonl[.gz]` with `index`, of the query, and `answers`, the indices of the
            programs nearest to it, nearest first: at least R of them, R the number of the other
            programs of the query's label.

    Raises:
        OscarError: a query is missing, unknown or there twice, or its answers are too few, unknown,
            repeated, or hold the query itself.
    """
    labels = {str(line["index"]): str(line["label"]) for line in _lines(programs, "label")}
    sizes = Counter(labels.values())
    answers: dict[str, list[str]] = {}
    for line in _lines(predictions, "answers"):
        query = str(line["index"])
        if query in answers:
            raise OscarError(f"{predictions}: two lines for index {query}")
        answers[query] = _checked(query, line["answers"], labels, sizes, predictions)
    absent = next((query for query in labels if query not in answers), None)
    if absent is not None:
        raise OscarError(f"{predictions}: no line for index {absent} of {programs}")
    asked = [query for query in labels if sizes[labels[query]] > 1]
    if not asked:
        raise OscarError(f"{programs}: no label has two programs, so there is nothing to find")
    scores = []
    for query in asked:
        right = np.array([[labels[answer] == labels[query] for answer in answers[query]]], bool)
        r = np.array([sizes[labels[query]] - 1])
        scores.append([*average_precision_at_r(right, r), *reciprocal_ranks(right)])
    precision, rank = np.array(scores).T
    return QueryScores(np.array([labels[query] for query in asked]), precision, rank)


def _checked(
    query: str, found: Any, labels: dict[str, str], sizes: Counter[str], file: Path
) -> list[str]:
    """The answers to one query.

    Raises:
        OscarError: they are no ranking of other programs.
    """
    if query not in labels:
        raise OscarError(f"{file}: index {query} is no program of the collection")
    if not isinstance(found, list):
        raise OscarError(f"{file}: the answers of index {query} are no list")
    answers = [str(answer) for answer in found]
    needed = sizes[labels[query]] - 1
    if len(answers) < needed:
        raise OscarError(f"{file}: index {query} has {len(answers)} answers, {needed} are judged")
    unknown = next((answer for answer in answers if answer not in labels), None)
    if unknown is not None:
        raise OscarError(f"{file}: answer {unknown} to index {query} is no program")
    if query in answers or len(set(answers)) < len(answers):
        raise OscarError(f"{file}: index {query} has itself or an answer twice among its answers")
    return answers


def _lines(path: Path, field: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of a file.

    Raises:
        OscarError: it cannot be read, or a line lacks `index` or `field`.
    """
    opener = gzip.open if path.name.lower().endswith(".gz") else open
    try:
        with opener(path, "rt", encoding="utf-8") as file:
            for number, text in enumerate(file, 1):
                if not text.strip():
                    continue
                line = json.loads(text)
                if not isinstance(line, dict) or not {"index", field} <= line.keys():
                    raise OscarError(f"{path}:{number}: no object with 'index' and {field!r}")
                yield line
    except (OSError, EOFError, ValueError) as error:
        raise OscarError(f"{path} cannot be read as JSON lines: {error}") from None
