"""How often which word occurs in which document, counted as the documents are read."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import csr_matrix


@dataclass
class Bag:
    """The words of some documents, of which only numbers are kept.

    Attributes:
        vocabulary: number of each word, in order of appearance.
    """

    vocabulary: dict[str, int] = field(default_factory=dict)
    _words: array[int] = field(default_factory=lambda: array("i"))
    _counts: array[int] = field(default_factory=lambda: array("i"))
    _ends: array[int] = field(default_factory=lambda: array("q", [0]))

    @classmethod
    def of(cls, documents: Iterable[Iterable[str]]) -> Bag:
        """The bag of these documents."""
        bag = cls()
        for words in documents:
            bag.add(words)
        return bag

    def add(self, words: Iterable[str]) -> None:
        """Count the words of one more document."""
        for word, count in Counter(words).items():
            self._words.append(self.vocabulary.setdefault(word, len(self.vocabulary)))
            self._counts.append(count)
        self._ends.append(len(self._words))

    def table(self, vocabulary: Mapping[str, int] | None = None) -> csr_matrix:
        """Counts (documents, words), the words in alphabetical order.

        Args:
            vocabulary: count the words of this one, and no others; default: all of the documents.
        """
        known = sorted(self.vocabulary if vocabulary is None else vocabulary)
        place = {word: column for column, word in enumerate(known)}
        columns = np.array([place.get(word, len(known)) for word in self.vocabulary], np.int32)
        numbers = columns[np.frombuffer(self._words, np.int32)] if self._words else self._words
        counts = np.array(self._counts, np.float32)
        shape = len(self._ends) - 1, len(known) + 1
        # The last column holds what is in no vocabulary.
        table = csr_matrix((counts, numbers, np.array(self._ends)), shape)[:, :-1]
        table.sort_indices()
        return table
