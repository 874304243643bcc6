"""Code search: find the function that a description in words asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from finetune.data.questions import Question
from finetune.evaluation.matching import Matching, match_ranks
from finetune.evaluation.similarity import Vectors

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def identifier_words(text: str) -> list[str]:
    """The words in a text or in the identifiers of code: `minCost` and `min_cost` are min, cost."""
    return [word.lower() for word in _WORD.findall(text)]


def identifier_tfidf(questions: Sequence[Question]) -> tuple[Vectors, Vectors]:
    """TF-IDF over words of descriptions and of identifiers, the classical search engine.

    Returns:
        Vectors of the descriptions and of the code (questions, words).
    """
    model = TfidfVectorizer(analyzer=identifier_words, sublinear_tf=True)
    code = model.fit_transform([question.code for question in questions])
    return model.transform([question.text for question in questions]), code


def judge_search(
    questions: Sequence[Question], texts: Vectors, answered: Sequence[int], code: np.ndarray
) -> Matching:
    """Rank all functions for each description.

    Args:
        questions: all of them: the pool.
        texts: of all descriptions (questions, dim).
        answered: numbers of the questions whose answer has a vector, in order.
        code: of these (answered, dim). A question whose answer has none, because it does not
            lower, is never answered: its rank is infinite.
    """
    ranks = np.full(len(questions), np.inf)
    ranks[list(answered)] = match_ranks(texts[list(answered)], code)
    return Matching.of(ranks, len(questions))
