"""A labelled collection of programs and its corpus: what lowered, what was lost."""

from __future__ import annotations

import hashlib
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ir_pipeline import FunctionView, build_corpus, open_corpus
from ir_pipeline.corpus.layout import MANIFEST
from ir_pipeline.corpus.reader import Corpus
from ir_pipeline.sources.find import find_units
from static_analysis import OscarError

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Program:
    """One program of a collection.

    Attributes:
        name: unique in its collection; the `unit` of its functions in the corpus.
        label: the problem it solves.
        code: its source text.
    """

    name: str
    label: str
    code: str


@dataclass(frozen=True, slots=True)
class NumberedRow:
    """A function in one view, without its streams.

    Attributes:
        number: of its row in the corpus.
        unit: name of its program.
        view: name of the view.
        function: its symbol.
        n_instructions: how many it has.
        instructions: their texts.
    """

    number: int
    unit: str
    view: str
    function: str
    n_instructions: int
    instructions: list[str]


@dataclass(frozen=True)
class Collection:
    """Programs and the corpus made of them.

    Attributes:
        path: the `.jsonl[.gz]` file.
        corpus: of all programs of the file.
        programs: those asked for, in the file's order.
    """

    path: Path
    corpus: Corpus
    programs: list[Program]

    @cached_property
    def lowered(self) -> list[Program]:
        """The programs with at least one function in the corpus."""
        units = set(self._column("unit"))
        return [program for program in self.programs if program.name in units]

    @property
    def lost(self) -> list[Program]:
        """The programs that did not lower, or define no function."""
        kept = {program.name for program in self.lowered}
        return [program for program in self.programs if program.name not in kept]

    def rows(self) -> Iterator[tuple[Program, list[FunctionView]]]:
        """Each lowered program with all views of its functions, in order."""
        return self._by_program(self.corpus.all_rows(), key=attrgetter("unit"))

    def first_view(self) -> Iterator[tuple[Program, list[FunctionView]]]:
        """Each lowered program with its functions in the first view, in order."""
        return self._by_program(self.corpus.rows(self.corpus.views[0]), key=attrgetter("unit"))

    def numbered_rows(self) -> Iterator[tuple[Program, list[NumberedRow]]]:
        """As `rows`, of each view only its number and what composition asks."""
        return self._by_program(self._numbered(), key=attrgetter("unit"))

    def _numbered(self) -> Iterator[NumberedRow]:
        wanted = pa.array([program.name for program in self.programs], pa.string())
        names, first = [field.name for field in fields(NumberedRow)][1:], 0
        for batch in self.corpus.batches(names):
            mask = pc.is_in(batch.column("unit"), wanted)
            numbers = first + np.flatnonzero(mask.to_numpy(zero_copy_only=False))
            for number, row in zip(numbers, batch.filter(mask).to_pylist(), strict=True):
                yield NumberedRow(int(number), **row)
            first += len(batch)

    def _by_program(
        self, rows: Iterable[Row], key: Callable[[Row], str]
    ) -> Iterator[tuple[Program, list[Row]]]:
        wanted = {program.name: program for program in self.lowered}
        for name, members in groupby(rows, key=key):
            if name in wanted:
                yield wanted[name], list(members)

    def _column(self, name: str) -> Iterator[str]:
        for batch in self.corpus.batches([name]):
            yield from batch.column(0).to_pylist()


def open_collection(
    path: Path,
    corpus: Path,
    *,
    views: Sequence[str] = ("O0",),
    per_label: int | None = None,
    seed: int = 0,
    build: Callable[..., object] = build_corpus,
) -> Collection:
    """Read a collection, and its corpus, which is built where it is not there yet.

    Args:
        path: `.jsonl[.gz]` file, an object with `code` and `label` a line, as CodeXGLUE has them.
        corpus: folder of its corpus, finished, unfinished or new.
        views: how many or which ones the corpus gets, if it has to be built.
        per_label: take this many programs of each label, chosen by hash; default: all.
        seed: chooses others.
        build: how to build a corpus.

    Raises:
        OscarError: the file holds no labelled programs, or the corpus is not of this file.
    """
    programs = choose(list(read_programs(path)), per_label, seed)
    if not (corpus / MANIFEST).exists():
        build([path], corpus, views=list(views))
    collection = Collection(path, open_corpus(corpus), programs)
    if not collection.lowered:
        raise OscarError(f"{corpus} holds no program of {path}: name its own corpus, or a new one")
    return collection


def read_programs(path: Path) -> Iterator[Program]:
    """The labelled programs of a collection, named as the units of its corpus.

    Raises:
        OscarError: the file cannot be read, holds nothing, or a program has no label.
    """
    with tempfile.TemporaryDirectory() as scratch:
        units = find_units([path], Path(scratch))
    for unit in units:
        if unit.code is None:
            continue
        if unit.label is None:
            raise OscarError(f"{path}: {unit.name} has no 'label': the task needs one a program")
        yield Program(unit.name, unit.label, unit.code)


def choose(programs: list[Program], per_label: int | None, seed: int) -> list[Program]:
    """Up to `per_label` programs a label, the same whatever else there is; None: all."""
    if per_label is None:
        return programs
    by_label: dict[str, list[Program]] = defaultdict(list)
    for program in programs:
        by_label[program.label].append(program)
    kept: set[str] = set()
    for members in by_label.values():
        drawn = sorted(members, key=lambda program: _draw(program, seed))[:per_label]
        kept.update(program.name for program in drawn)
    return [program for program in programs if program.name in kept]


def _draw(program: Program, seed: int) -> bytes:
    return hashlib.blake2b(f"{seed}\0{program.name}\0{program.code}".encode()).digest()
