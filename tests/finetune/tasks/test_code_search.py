import numpy as np
import pytest

from finetune.data.questions import Question
from finetune.tasks.code_search import identifier_tfidf, identifier_words, judge_search

QUESTIONS = [
    Question("0", "Find the minimum cost of a path", "int minimumCost(int pathLength);", "a"),
    Question("1", "Sort a list of numbers", "void sort_numbers(list l);", "b"),
    Question("2", "Reverse the letters", "string f(string s);", "c"),
]


def test_identifiers_fall_into_words():
    assert identifier_words("minCost max_heap HTTPServer x2 sort") == (
        ["min", "cost", "max", "heap", "http", "server", "x", "2", "sort"]
    )


def test_words_shared_with_identifiers_find_the_function():
    texts, code = identifier_tfidf(QUESTIONS)
    figures = judge_search(QUESTIONS, texts, range(3), code)
    # The third shares no word with any: all are alike, and it is the third by order.
    assert figures.recall_at_1 == pytest.approx(2 / 3)
    assert figures.mrr == pytest.approx((1 + 1 + 1 / 3) / 3)
    assert figures.pool == 3


def test_an_answer_without_a_vector_is_never_found():
    texts = np.eye(3)
    figures = judge_search(QUESTIONS, texts, [0, 2], texts[[0, 2]])
    assert figures.recall_at_10 == pytest.approx(2 / 3)
    assert figures.mrr == pytest.approx(2 / 3)
    assert (figures.queries, figures.pool) == (3, 3)
