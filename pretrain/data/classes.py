"""Which functions are one and the same: none is pushed away from itself, or tested on itself.

A `static` function of a header is a function of its own in every unit that includes it, in a group
of its own. Its tokens tell: two groups that share a view do the same, for the views of a group are
equivalent. Contrasting them would teach a model to tell apart what is equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from ir_pipeline import open_corpus
from pretrain.config import TrainingError

_DIGITS = 16
"""Hexadecimal digits of a hash looked at: 64 bits, in which 100 million hashes hardly collide."""


class FunctionClasses:
    """The class of every group of a corpus, in some twenty bytes a group.

    A class is numbered by the smallest hash among its views, so that it has one number in all
    corpora that hold the same views of it.

    Args:
        groups: 64-bit hash of each row's group (rows,).
        views: 64-bit hash of each row's tokens (rows,).
    """

    def __init__(self, groups: NDArray[np.uint64], views: NDArray[np.uint64]) -> None:
        self._groups, group = np.unique(groups, return_inverse=True)
        hashes, view = np.unique(views, return_inverse=True)
        size = len(self._groups) + len(hashes)
        shares = (np.ones(len(group), np.bool_), (group, len(self._groups) + view))
        count, part = connected_components(coo_array(shares, shape=(size, size)), directed=False)
        smallest = np.full(count, np.iinfo(np.uint64).max, np.uint64)
        np.minimum.at(smallest, part[len(self._groups) :], hashes)
        # 63 bits: negative numbers are left for what is no class.
        self._classes = (smallest >> np.uint64(1)).astype(np.int64)[part[: len(self._groups)]]
        self._count = int(count)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, group: str) -> int:
        """The class of a group of the corpus."""
        return int(self.of(_leading_bits([group])).item())

    def of(self, groups: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The classes (n,) of groups of the corpus, given by their 64-bit hashes (n,)."""
        classes: NDArray[np.int64] = self._classes[np.searchsorted(self._groups, groups)]
        return classes


def function_classes(corpus: Path) -> FunctionClasses:
    """The classes of a corpus: groups joined by views with equal tokens are one.

    Raises:
        OscarError: The folder is missing or no corpus of this format.
    """
    columns = ("group", "hash")
    hashes = [[np.empty(0, np.uint64) for _ in columns]]
    for batch in open_corpus(corpus).batches(columns):
        hashes.append([_leading_bits(batch[name].to_pylist()) for name in columns])
    return FunctionClasses(*map(np.concatenate, zip(*hashes, strict=True)))


def _leading_bits(hashes: Sequence[str]) -> NDArray[np.uint64]:
    """The first 64 bits of hashes in hexadecimal digits, as the corpus writes them."""
    digits = "".join(text[:_DIGITS] for text in hashes)
    return np.frombuffer(bytes.fromhex(digits), ">u8").astype(np.uint64)


def held_out(classes: NDArray[np.int64], share: float, seed: int) -> NDArray[np.bool_]:
    """Which rows are kept from training to validate on: all or none of a class.

    Each class is drawn by its number and the seed alone, so that what is held out stays so when
    the corpus grows.

    Args:
        classes: Class of each row (rows,).
        share: Part of the classes to hold out, 0 to 1, met on average.
        seed: Chooses others.
    """
    return draws(classes, seed) < np.uint64(min(share * 2.0**64, 2.0**64 - 2048))


def draws(classes: NDArray[np.int64], seed: int) -> NDArray[np.uint64]:
    """A number of 64 bits for each class (rows,), as good as random; the lowest are held out."""
    return _scatter(classes.astype(np.uint64) ^ _scatter(np.array(seed, np.uint64)))


def _scatter(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """One step of SplitMix64 (Steele et al. 2014): near numbers become far ones, one to one."""
    with np.errstate(over="ignore"):
        mixed = numbers + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def check_size(corpus: Path, shortest: int, share: float = 0, seed: int = 0) -> None:
    """Refuses a corpus in which there is nothing to contrast.

    Args:
        corpus: The corpus folder.
        shortest: Views with fewer instructions do not count.
        share: Part of the classes that `held_out` keeps from training.
        seed: Chooses which.

    Raises:
        TrainingError: Fewer than two different functions are left.
        OscarError: The folder is missing or no corpus of this format.
    """
    classes = function_classes(corpus)
    kept: set[int] = set()
    short = 0
    for batch in open_corpus(corpus).batches(["group", "n_instructions"]):
        rows = batch.to_pylist()
        kept.update(classes[row["group"]] for row in rows if row["n_instructions"] >= shortest)
        short += sum(row["n_instructions"] < shortest for row in rows)
    out = int(held_out(np.array([*kept], np.int64), share, seed).sum())
    if len(kept) - out < 2:
        dropped = [f"{short} views under {shortest} instructions left out"] * bool(short)
        dropped += [f"{out} held out to validate on"] * bool(out)
        raise TrainingError(
            f"{corpus} has {len(kept)} different functions"
            f"{' (' + ', '.join(dropped) + ')' if dropped else ''}; "
            "pretraining contrasts functions and needs at least two: preprocess more sources"
        )
