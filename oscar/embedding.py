"""One vector per function: batching, device and order are this module's business."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import chain, groupby
from pathlib import Path

import numpy as np
import torch

from ir_pipeline import Failure, FunctionView, open_corpus, read_functions
from ir_pipeline.corpus.reader import is_corpus
from oscar.batching import BatchStats, collate
from oscar.encoded import EncodedFunction
from oscar.limits import Cuts
from oscar.model import OscarModel
from oscar.tokenizer import OscarTokenizer
from static_analysis import OscarError

TOKENS_PER_BATCH = 65_536
"""Tokens of both streams encoded at once; a single larger function is, too."""


NOTHING_CUT, NOTHING_DONE = Cuts(), BatchStats()

Unit = tuple[str, str]
"""Project and name of a unit: units of different projects may have one name."""


@dataclass(frozen=True, slots=True)
class FunctionName:
    """What is known of an embedded function beside its vector."""

    project: str
    unit: str
    function: str
    group: str
    view: str
    label: str | None
    n_instructions: int

    @classmethod
    def of(cls, row: FunctionView) -> "FunctionName":
        """The naming part of a corpus row."""
        return cls(**{field.name: getattr(row, field.name) for field in fields(cls)})


@dataclass(frozen=True)
class Embeddings:
    """Vectors and the functions they stand for, in the order of the input.

    Attributes:
        functions: one entry per row of `vectors`.
        vectors: (functions, dim) float32, as the model gives them (not normalised).
        cuts: what lay beyond the model's limits and did not reach the vectors.
        stats: how much of what was encoded was work.
    """

    functions: list[FunctionName]
    vectors: np.ndarray
    cuts: Cuts = NOTHING_CUT
    stats: BatchStats = NOTHING_DONE

    @property
    def names(self) -> list[str]:
        """The functions' names as in the IR, one per row of `vectors`."""
        return [function.function for function in self.functions]

    def by_unit(self) -> tuple[list[Unit], np.ndarray]:
        """One vector per unit: the mean of its functions' unit-length vectors.

        Returns:
            The units in order of first appearance, and their vectors (units, dim).
        """
        rows: dict[Unit, list[int]] = {}
        for index, function in enumerate(self.functions):
            rows.setdefault((function.project, function.unit), []).append(index)
        normalised = unit_length(self.vectors)
        means = [normalised[members].mean(axis=0) for members in rows.values()]
        return list(rows), np.stack(means) if means else self.vectors[:0]


def unit_length(vectors: np.ndarray) -> np.ndarray:
    """Rows scaled to length one, (n, dim); a row of zeros stays as it is."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(norms == 0, 1, norms)


def embed(
    model: OscarModel | str | Path,
    inputs: str | Path | Iterable[str | Path | FunctionView],
    tokenizer: OscarTokenizer | None = None,
) -> Embeddings:
    """Embed functions; batch-mates, padding and order do not change a function's vector.

    Args:
        model: A loaded model or a model folder.
        inputs: Corpus rows, or paths as in `oscar preprocess` (read at O0).
        tokenizer: The model's own unless given.

    Raises:
        OscarError: the model has no tokenizer, or an input cannot be read.
    """
    if not isinstance(model, OscarModel):
        model = OscarModel.from_pretrained(model)
    tokenizer = tokenizer or model.tokenizer
    if tokenizer is None:
        raise OscarError("this model carries no tokenizer: pass the one it was trained with")
    paths = [inputs] if isinstance(inputs, str | Path) else inputs
    training = model.training
    try:
        return _embed_rows(model.eval(), tokenizer, _rows(paths))
    finally:
        model.train(training)


def read_rows(
    sources: Sequence[Path],
    view: str = "O0",
    clang: Path | None = None,
    workers: int | None = None,
) -> Iterator[FunctionView | Failure]:
    """One view of every function of sources or of corpora, in the order given.

    Raises:
        OscarError: a source cannot be found, or a corpus does not keep that view of all functions.
    """
    for corpus, members in groupby(sources, key=is_corpus):
        if corpus:
            yield from chain.from_iterable(open_corpus(path).rows(view) for path in members)
        else:
            yield from read_functions(list(members), views=[view], clang=clang, workers=workers)


def _rows(inputs: Iterable[str | Path | FunctionView]) -> Iterator[FunctionView]:
    """Rows as they are; neighbouring paths read together, by the same workers."""
    for are_rows, members in groupby(inputs, key=lambda item: isinstance(item, FunctionView)):
        if are_rows:
            yield from (item for item in members if isinstance(item, FunctionView))
            continue
        for row in read_rows([Path(item) for item in members if isinstance(item, str | Path)]):
            if isinstance(row, Failure):
                raise OscarError(f"{row.unit} could not be read ({row.stage}): {row.message}")
            yield row


def _embed_rows(
    model: OscarModel, tokenizer: OscarTokenizer, rows: Iterator[FunctionView]
) -> Embeddings:
    functions: list[FunctionName] = []
    vectors = [np.empty((0, model.config.hidden_size), np.float32)]
    cuts, stats = Cuts(), BatchStats()
    for names, encoded in _batches((FunctionName.of(row), tokenizer.encode(row)) for row in rows):
        batch = collate(encoded, model.config).to(model.device)
        with torch.inference_mode():
            vectors.append(model(batch).embedding.float().cpu().numpy())
        functions += names
        cuts, stats = cuts + batch.cuts, stats + batch.stats
    return Embeddings(functions, np.concatenate(vectors), cuts, stats)


def _batches(
    functions: Iterable[tuple[FunctionName, EncodedFunction]],
) -> Iterator[tuple[list[FunctionName], list[EncodedFunction]]]:
    """Consecutive functions of `TOKENS_PER_BATCH` tokens in all, one function at least."""
    names: list[FunctionName] = []
    batch: list[EncodedFunction] = []
    tokens = 0
    for name, function in functions:
        if batch and tokens + function.size > TOKENS_PER_BATCH:
            yield names, batch
            names, batch, tokens = [], [], 0
        names.append(name)
        batch.append(function)
        tokens += function.size
    if batch:
        yield names, batch
