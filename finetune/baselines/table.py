"""The baselines by name, and their vectors of a collection."""

from __future__ import annotations

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
    "opcode histogram, SVD + LDA": Baseline(words.opcodes, learned=True),
    "opcode bigrams, SVD + LDA": Baseline(words.opcode_bigrams, learned=True),
    "IR tokens, SVD + LDA": Baseline(words.ir_tokens, learned=True),
    "IR tokens + statements, SVD + LDA": Baseline(words.ir_tokens_and_statements, learned=True),
    "environment, SVD + LDA": Baseline(words.environment_statements, learned=True),
    "source tokens, SVD + LDA": Baseline(words.source_tokens, needs_ir=False, learned=True),
    "anonymous source, SVD + LDA": Baseline(
        words.anonymous_source_bigrams, needs_ir=False, learned=True
    ),
}


def documents(baseline: Baseline, collection: Collection) -> tuple[list[Program], list[list[str]]]:
    """The programs that have words, in the collection's order, and the words of each."""
    if baseline.needs_ir:
        read = collection.first_view()
    else:
        read = ((program, []) for program in collection.programs)
    pairs = [(program, list(baseline.words(program, functions))) for program, functions in read]
    return [program for program, _ in pairs], [words for _, words in pairs]


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
    programs, read = documents(baseline, collection)
    if not baseline.learned:
        weights = square_roots() if baseline.roots else tfidf()
        return programs, make_pipeline(counter(), weights).fit_transform(read)
    if train is None:
        raise ValueError("a learned baseline needs training programs")
    known, known_words = documents(baseline, train)
    labels = [program.label for program in known]
    return programs, project(known_words, labels, read, seed)
