"""The baselines by name: which words they read, and what makes vectors of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from finetune.baselines import words
from finetune.baselines.bags import Bag
from finetune.baselines.vectors import project, tfidf
from finetune.data.programs import Collection, Program
from finetune.evaluation.similarity import Vectors
from ir_pipeline import FunctionView


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


Documents = Iterable[tuple[Program, list[FunctionView]]]
"""Programs, and the functions of each."""


@dataclass
class Reading:
    """The programs of a collection that one kind of words can be read of, and these words."""

    programs: list[Program] = field(default_factory=list)
    bag: Bag = field(default_factory=Bag)


def read_words(collection: Collection, baselines: Iterable[Baseline]) -> dict[words.Words, Reading]:
    """The words that some baselines take, all read at once from the first view of the corpus."""
    kinds = {baseline.words: baseline.needs_ir for baseline in baselines}
    read = {kind: Reading() for kind in kinds}
    bodies: Documents = collection.first_view() if any(kinds.values()) else ()
    without: Documents = ((program, []) for program in collection.programs)
    for with_ir, documents in ((True, bodies), (False, without)):
        chosen = [kind for kind, needs_ir in kinds.items() if needs_ir == with_ir]
        for program, functions in documents:
            for kind in chosen:
                read[kind].programs.append(program)
                read[kind].bag.add(kind(program, functions))
    return read


def baseline_vectors(
    baseline: Baseline, pool: Reading, train: Reading | None = None, seed: int = 0
) -> Vectors:
    """The vectors of the programs that the baseline can read (programs, dim).

    Args:
        baseline: one of the tables above.
        pool: its words of the programs to represent.
        train: those of labelled programs of other problems, for what is learned.
        seed: of the singular vectors.

    Raises:
        ValueError: a learned baseline has nothing to learn from.
    """
    if not baseline.learned:
        counts = pool.bag.table()
        return counts.sqrt() if baseline.roots else tfidf().fit_transform(counts)
    if train is None:
        raise ValueError("a learned baseline needs training programs")
    labels = [program.label for program in train.programs]
    known = train.bag.vocabulary
    return project(train.bag.table(), labels, pool.bag.table(known), seed)
