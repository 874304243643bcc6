"""The baselines by name, and their vectors of a collection."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sklearn.pipeline import make_pipeline

from finetune.baselines import words
from finetune.baselines.vectors import counter, project, square_roots, tfidf
from finetune.data.programs import Collection, Program
from finetune.evaluation.similarity import Vectors


@dataclass(frozen=True, slots=True)
class Baseline:
    """A bag of words and what makes a vector of it.

    Attributes:
        words: of a program.
        needs_ir: whether programs that did not lower have none.
        roots: square roots of counts instead of TF-IDF.
        learned: TF-IDF behind a linear projection learned on labelled programs.
    """

    words: words.Words
    needs_ir: bool = True
    roots: bool = False
    learned: bool = False


UNLEARNED = {
    "opcode histogram": Baseline(words.opcodes, roots=True),
    "opcode bigrams": Baseline(words.opcode_bigrams, roots=True),
    "IR tokens, TF-IDF": Baseline(words.ir_tokens),
    "IR statements, TF-IDF": Baseline(words.ir_statements),
    "environment, TF-IDF": Baseline(words.environment_statements),
    "source tokens, TF-IDF": Baseline(words.source_tokens, needs_ir=False),
    "anonymous source, TF-IDF": Baseline(words.anonymous_source_bigrams, needs_ir=False),
}
LEARNED = {
    "opcode bigrams, SVD + LDA": Baseline(words.opcode_bigrams, learned=True),
    "IR tokens + statements, SVD + LDA": Baseline(words.ir_tokens_and_statements, learned=True),
    "environment, SVD + LDA": Baseline(words.environment_statements, learned=True),
    "anonymous source, SVD + LDA": Baseline(
        words.anonymous_source_bigrams, needs_ir=False, learned=True
    ),
}


@dataclass(frozen=True)
class Documents:
    """Programs and the words of each."""

    programs: list[Program]
    words: list[list[str]]


def documents(baseline: Baseline, collection: Collection) -> Documents:
    """The words of every program that has some, in the collection's order."""
    pairs = [(program, list(found)) for program, found in _documents(baseline, collection)]
    return Documents([program for program, _ in pairs], [found for _, found in pairs])


def _documents(baseline: Baseline, collection: Collection) -> Iterator[tuple[Program, list[str]]]:
    if not baseline.needs_ir:
        for program in collection.programs:
            yield program, list(baseline.words(program, ()))
        return
    first = collection.corpus.views[0]
    for program, rows in collection.rows():
        functions = [row for row in rows if row.view == first]
        yield program, list(baseline.words(program, functions))


def baseline_vectors(
    baseline: Baseline, collection: Collection, train: Collection | None = None, seed: int = 0
) -> tuple[list[Program], Vectors]:
    """The programs that the baseline can read, and their vectors (programs, dim).

    Args:
        baseline: one of the tables above.
        collection: programs to represent, at the first view of their corpus.
        train: labelled programs of other problems, for what is learned.
        seed: of the singular vectors.

    Raises:
        ValueError: a learned baseline has nothing to learn from.
    """
    read = documents(baseline, collection)
    if not baseline.learned:
        weights = square_roots() if baseline.roots else tfidf()
        return read.programs, make_pipeline(counter(), weights).fit_transform(read.words)
    if train is None:
        raise ValueError("a learned baseline needs training programs")
    known = documents(baseline, train)
    labels = [program.label for program in known.programs]
    return read.programs, project(known.words, labels, read.words, seed)
