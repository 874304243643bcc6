"""Two tasks for small encoders: one that is nothing but a long relative jump, and real code."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol, Self

import pyarrow.parquet as pq
import torch
from torch import Generator, Tensor

from ir_pipeline import build_corpus, open_corpus

LENGTH = 256
IGNORED = -100  # target of a place whose prediction does not count
MASK, UNKNOWN = 0, 1
HELD_OUT, MASKED = 0.1, 0.15
LEAST = 5  # rarer tokens are unknown

Batch = tuple[Tensor, Tensor]


class Task(Protocol):
    """Sequences of LENGTH words and what is to be predicted at each place.

    Attributes:
        name: for the table.
        words: size of the vocabulary.
        rpe: the relative positions that suit the task.
    """

    name: str
    words: int
    rpe: str

    def batch(self, size: int, generator: Generator, held_out: bool = False) -> Batch:
        """Give inputs and targets (size, LENGTH); IGNORED where nothing is to be predicted."""


@dataclass
class Copy:
    """Name the word that stands `distance` places back."""

    distance: int = 100
    words: int = 16
    name: str = "copy"
    rpe: str = "free"

    def batch(self, size: int, generator: Generator, held_out: bool = False) -> Batch:
        """Give random words; no two batches are alike, so that all are held out."""
        inputs = torch.randint(self.words, (size, LENGTH), generator=generator)
        targets = inputs.roll(self.distance, dims=1)
        targets[:, : self.distance] = IGNORED
        return inputs, targets


class MaskedCode:
    """Name the masked tokens of real functions, 15 % of all.

    Args:
        shards: files of a corpus, in order; the last tenth of their functions is held out.
    """

    name = "masked code"
    rpe = "t5"

    def __init__(self, shards: Sequence[Path]) -> None:
        functions = [function for shard in shards for function in _functions(shard)]
        kept = int(len(functions) * (1 - HELD_OUT))
        counts = Counter(token for function in functions[:kept] for token in function)
        frequent = sorted(token for token, count in counts.items() if count >= LEAST)
        numbers = {token: number for number, token in enumerate(frequent, start=UNKNOWN + 1)}
        self.words = len(numbers) + UNKNOWN + 1
        self.parts = {
            held_out: torch.tensor([numbers.get(token, UNKNOWN) for f in part for token in f])
            for held_out, part in ((False, functions[:kept]), (True, functions[kept:]))
        }

    @classmethod
    def of(cls, corpus: Path | None) -> Self:
        """Read a corpus, or lower examples/ at -O0 if there is none."""
        if corpus is not None:
            return cls(open_corpus(corpus).shards)
        examples = Path(__file__).parents[2] / "examples"
        with TemporaryDirectory(prefix="oscar-") as folder:
            made = Path(folder) / "corpus"
            build_corpus([examples], made, views=["O0"])
            return cls(open_corpus(made).shards)

    def batch(self, size: int, generator: Generator, held_out: bool = False) -> Batch:
        """Give windows of the functions' tokens in a row, some of them masked."""
        tokens = self.parts[held_out]
        starts = torch.randint(max(1, len(tokens) - LENGTH), (size, 1), generator=generator)
        # A corpus shorter than a window is read round and round.
        targets = tokens[(starts + torch.arange(LENGTH)) % len(tokens)]
        masked = torch.rand(targets.shape, generator=generator) < MASKED
        return targets.masked_fill(masked, MASK), targets.masked_fill(~masked, IGNORED)


def _functions(shard: Path) -> list[list[str]]:
    """Give the tokens of each function of a shard, in one list a function."""
    rows = pq.read_table(shard, columns=["tokens"]).column("tokens").to_pylist()
    return [[token for instruction in row for token in instruction] for row in rows]
