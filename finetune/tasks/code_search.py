"""Code search: find the function that a description in words asks for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from finetune.data.questions import Question
from finetune.evaluation.curves import recall_by_size
from finetune.evaluation.intervals import confidence_interval
from finetune.evaluation.matching import Matching, match_ranks
from finetune.evaluation.results import Result
from finetune.evaluation.similarity import Vectors
from finetune.text_encoder import TextEncoder
from finetune.training.dual import DualEncoder
from ir_pipeline import FunctionView
from ir_pipeline.rows.symbol_names import source_name
from oscar.embedding import embed, unit_length

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


@dataclass(frozen=True)
class Pool:
    """Questions and what is known of their answers.

    Attributes:
        questions: all of them; every answer is in the pool.
        answers: the views of the answers that lowered, by the question's number, in order.
    """

    questions: list[Question]
    answers: dict[int, list[FunctionView]]

    @classmethod
    def of(cls, questions: Sequence[Question], rows: Iterable[FunctionView]) -> Pool:
        """The questions with those rows of their corpus that are answers, not helpers of one."""
        numbers = {question.id: number for number, question in enumerate(questions)}
        answers: dict[int, list[FunctionView]] = {}
        for row in rows:
            number = numbers.get(row.unit)
            if number is None:
                continue
            if source_name(row.function) == questions[number].function:
                answers.setdefault(number, []).append(row)
        return cls(list(questions), dict(sorted(answers.items())))

    @property
    def texts(self) -> list[str]:
        """All descriptions."""
        return [question.text for question in self.questions]

    @property
    def sources(self) -> list[str]:
        """The code of all answers."""
        return [question.code for question in self.questions]

    @property
    def nameless_sources(self) -> list[str]:
        """The same with another name for the answer."""
        return [
            re.sub(rf"\b{re.escape(question.function)}\b", "f", question.code)
            for question in self.questions
        ]

    @property
    def ir_words(self) -> list[str]:
        """Names in the first view of each answer that lowered: what it calls, reads and writes."""
        return [" ".join(symbol_words(views[0])) for views in self.answers.values()]


@dataclass(frozen=True)
class Searcher:
    """A named way to compare descriptions with functions.

    Attributes:
        name: what it is.
        texts: vectors of all descriptions (questions, dim).
        code: vectors of the answers it can read (answered, dim).
        answered: numbers of their questions, ascending.
        model: folder of the model it is of; None: a baseline.
    """

    name: str
    texts: Vectors
    code: Vectors
    answered: Sequence[int]
    model: str | None = None


def identifier_words(text: str) -> list[str]:
    """The words in a text or in the identifiers of code: `minCost` and `min_cost` are min, cost."""
    return [word.lower() for word in _WORD.findall(text)]


def symbol_words(function: FunctionView) -> Iterator[str]:
    """The words of the names and strings in a function's IR; its own name is not among them."""
    for tokens in function.tokens:
        yield from (token[1:] for token in tokens if token[0] == "@" and len(token) > 1)


def word_tfidf(texts: Sequence[str], code: Sequence[str]) -> tuple[Vectors, Vectors]:
    """TF-IDF over words of descriptions and of identifiers, the classical search engine.

    Args:
        texts: descriptions.
        code: what is searched; rare words of it count most.

    Returns:
        Vectors of the descriptions and of the code (n, words).
    """
    model = TfidfVectorizer(analyzer=identifier_words, sublinear_tf=True)
    vectors = model.fit_transform(code)
    return model.transform(texts), vectors


def baseline_searchers(pool: Pool, encoder: TextEncoder | None) -> Iterator[Searcher]:
    """What needs no model of programs.

    Args:
        pool: what is asked and answered.
        encoder: reads code as if it were prose; None: leave that out.
    """
    everything, lowered = range(len(pool.questions)), list(pool.answers)
    documents: dict[str, tuple[list[str], Sequence[int]]] = {
        "source words": (pool.sources, everything),
        "source words but the own name": (pool.nameless_sources, everything),
        "IR names": (pool.ir_words, lowered),
    }
    for name, (code, answered) in documents.items():
        if any(map(identifier_words, code)):
            yield Searcher(f"{name}, TF-IDF", *word_tfidf(pool.texts, code), answered)
    if encoder is None:
        return
    texts = encoder.encode(pool.texts)
    for name, (code, answered) in documents.items():
        yield Searcher(f"{name}, text encoder", texts, encoder.encode(code), answered)


def model_searcher(
    name: str, dual: DualEncoder, pool: Pool, texts: np.ndarray, model: str | None = None
) -> Searcher:
    """A dual encoder: the vector of an answer is the mean over its views.

    Args:
        name: of the model.
        dual: the model.
        pool: what is asked and answered.
        texts: vectors of all descriptions by the text encoder it was tuned with (questions, dim).
        model: its folder.
    """
    views = [view for answer in pool.answers.values() for view in answer]
    owners = np.repeat(
        np.arange(len(pool.answers)), [len(answer) for answer in pool.answers.values()]
    )
    means = np.zeros((len(pool.answers), dual.encoder.config.hidden_size))
    np.add.at(means, owners, unit_length(embed(dual.encoder, views).vectors))
    code = dual.compared("code", unit_length(means))
    return Searcher(name, dual.compared("text", texts), code, list(pool.answers), model)


def judge_search(pool: Pool, searcher: Searcher, seed: int = 0) -> Result:
    """Rank all functions for each description.

    A function without a vector, because it did not lower, is never found: its rank is infinite.
    The curve is recall@10 over the size of the functions that lowered.
    """
    answered = list(searcher.answered)
    ranks = np.full(len(pool.questions), np.inf)
    ranks[answered] = match_ranks(searcher.texts[answered], searcher.code)
    figures = Matching.of(ranks, len(pool.questions))
    low, high = confidence_interval(1 / ranks, seed=seed)
    interval = confidence_interval((ranks == 1).astype(float), seed=seed)
    sizes = np.array([views[0].n_instructions for views in pool.answers.values()])
    curve = recall_by_size(sizes, ranks[list(pool.answers)], k=10)
    return Result(figures, interval, {"mrr_low": low, "mrr_high": high}, searcher.model, curve)
