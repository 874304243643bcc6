import numpy as np
import pytest

from finetune.data.questions import Question, write_collection
from finetune.tasks.code_search import (
    Pool,
    Searcher,
    baseline_searchers,
    identifier_words,
    judge_search,
    model_searcher,
)
from finetune.text_encoder import TextEncoder
from finetune.training.dual import DualEncoder, TextSide
from ir_pipeline import read_functions
from oscar import OscarModel

QUESTIONS = [
    Question(
        "0",
        "Find the minimum cost of a path",
        "int minimumCost(int pathLength) { return pathLength; }",
        "minimumCost",
    ),
    Question(
        "1",
        "Sort a list of numbers",
        "void swap_numbers(int *a) {} void f(int *list) { swap_numbers(list); }",
        "f",
    ),
    Question("2", "Reverse the letters", "int g(int x) { this is no program }", "g"),
]


@pytest.fixture(scope="module")
def pool(tmp_path_factory):
    collection = tmp_path_factory.mktemp("answers") / "answers.jsonl"
    write_collection(QUESTIONS, collection)
    rows = [row for row in read_functions([collection], views=["O0", "O2"]) if hasattr(row, "view")]
    return Pool.of(QUESTIONS, rows)


def test_identifiers_fall_into_words():
    assert identifier_words("minCost max_heap HTTPServer x2 sort") == (
        ["min", "cost", "max", "heap", "http", "server", "x", "2", "sort"]
    )


def test_the_pool_has_the_answers_in_all_views_and_no_helpers(pool):
    assert list(pool.answers) == [0, 1]
    for number, views in pool.answers.items():
        assert {view.unit for view in views} == {QUESTIONS[number].id}
    assert next(view.function for view in pool.answers[1]) == "_Z1fPi"
    assert {view.view for view in pool.answers[1]} == {"O0", "O2"}


def test_what_words_there_are_to_compare(pool):
    assert pool.nameless_sources[0] == "int f(int pathLength) { return pathLength; }"
    assert "swap numbers" in pool.ir_words[1]
    assert "cost" not in pool.ir_words[0]


def test_words_shared_with_identifiers_find_the_function(pool):
    source, nameless, names = baseline_searchers(pool, None)
    # The third shares no word with any: all are alike, and it is the third by order.
    figures = judge_search(pool, source).figures
    assert figures.recall_at_1 == pytest.approx(2 / 3)
    assert figures.mrr == pytest.approx((1 + 1 + 1 / 3) / 3)
    assert figures.pool == 3
    assert [list(s.answered) for s in (source, nameless, names)] == [[0, 1, 2], [0, 1, 2], [0, 1]]
    assert judge_search(pool, names).figures.recall_at_1 == pytest.approx(2 / 3)


def test_an_answer_without_a_vector_is_never_found(pool):
    texts = np.eye(3)
    result = judge_search(pool, Searcher("perfect", texts, texts[[0, 1]], [0, 1]))
    assert result.figures.recall_at_10 == pytest.approx(2 / 3)
    assert result.figures.mrr == pytest.approx(2 / 3)
    assert (result.figures.queries, result.figures.pool) == (3, 3)
    assert 0 <= result.more["mrr_low"] <= 2 / 3 <= result.more["mrr_high"] <= 1


def test_a_model_compares_the_mean_of_an_answers_views(pool, model_folder, text_folder):
    encoder = TextEncoder(text_folder)
    dual = DualEncoder(OscarModel.from_pretrained(model_folder), TextSide.of(encoder), 8).eval()
    searcher = model_searcher("it", dual, pool, encoder.encode(pool.texts))
    assert (searcher.texts.shape, searcher.code.shape) == ((3, 8), (2, 8))
    only = Pool(QUESTIONS, {0: [*reversed(pool.answers[0])]})
    again = model_searcher("it", dual, only, encoder.encode(pool.texts))
    assert again.code[0] == pytest.approx(searcher.code[0], abs=1e-5)
    one = Pool(QUESTIONS, {1: pool.answers[1][:1]})
    alone = model_searcher("it", dual, one, encoder.encode(pool.texts)).code
    assert alone[0] != pytest.approx(searcher.code[1], abs=1e-3)
