"""What the demo asks of the trained model, the untrained one and the opcode histogram."""

from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from finetune.baselines.histogram import opcode_histograms
from finetune.demo.comparison import Representation
from finetune.evaluation.matching import Matching, evaluate_matching
from finetune.evaluation.retrieval import Retrieval, evaluate_retrieval
from finetune.evaluation.similarity import Vectors
from finetune.representation import untrained
from finetune.tasks.representations import UNTRAINED
from ir_pipeline import FunctionView, open_corpus
from ir_pipeline.corpus.reader import Corpus
from oscar.embedding import Unit, embed
from oscar.model import OscarModel

TRAINED, HISTOGRAM = "OSCAR, pretrained", "opcode histogram"


@dataclass(frozen=True)
class Contestants:
    """The models compared, and the corpus they answer about."""

    corpus: Corpus
    models: dict[str, OscarModel]

    @classmethod
    def of(cls, corpus: Path, run: Path, seed: int) -> "Contestants":
        """The model in `run`, and one as it was before its first step."""
        trained = OscarModel.from_pretrained(run)
        return cls(open_corpus(corpus), {TRAINED: trained, UNTRAINED: untrained(trained, seed)})


def task_of(unit: Unit) -> str:
    """The task an example implements: the folder it lies in."""
    return Path(unit[1]).parent.name


def find_same_task(
    contestants: Contestants,
) -> tuple[list[Unit], list[Representation], dict[str, Retrieval]]:
    """Take each program as a query among all others; those of its task are the right answers.

    Returns:
        The programs, each representation of them, and its figures.
    """
    rows = list(contestants.corpus.rows(contestants.corpus.views[0]))
    embedded = {name: embed(model, rows).by_unit() for name, model in contestants.models.items()}
    units = embedded[TRAINED][0]
    vectors: dict[str, Vectors] = {name: table for name, (_, table) in embedded.items()}
    vectors[HISTOGRAM] = opcode_histograms(list(body) for _, body in groupby(rows, _unit_of))
    tasks = [task_of(unit) for unit in units]
    figures = {name: evaluate_retrieval(table, tasks) for name, table in vectors.items()}
    return units, [Representation(*item) for item in vectors.items()], figures


def find_optimised(contestants: Contestants) -> dict[str, Matching]:
    """Look for each function, as it was lowered, among the optimised functions of the corpus.

    Of O1 to O3 the highest level that differs is taken; functions that optimisation removes, or
    leaves as they are, are no part of it.
    """
    corpus = contestants.corpus
    optimised = {row.group: row for row in corpus.optimised_rows()}
    plain = [row for row in corpus.rows(corpus.views[0]) if row.group in optimised]
    pairs = [*plain, *(optimised[row.group] for row in plain)]
    vectors: dict[str, Vectors] = {
        name: embed(model, pairs).vectors for name, model in contestants.models.items()
    }
    vectors[HISTOGRAM] = opcode_histograms([row] for row in pairs)
    half = len(plain)
    return {name: evaluate_matching(v[:half], v[half:]) for name, v in vectors.items()}


def _unit_of(row: FunctionView) -> Unit:
    return row.project, row.unit
