"""Which items make up step number s: all in turn, or some of each of some labels."""

from collections.abc import Sequence

import numpy as np

from static_analysis import OscarError


class LabelSampler:
    """Deals batches of `labels_per_batch` labels and `items_per_label` items of each.

    A step is a function of seed and step number alone, so that a run resumes without any state.

    Args:
        labels: of all items (items,).
        labels_per_batch: different labels of a batch; all there are if these are fewer.
        items_per_label: items of each; some come twice where a label has fewer.
        seed: of the draws.

    Raises:
        OscarError: there are fewer than two labels.
    """

    def __init__(
        self, labels: Sequence[str], labels_per_batch: int, items_per_label: int, seed: int
    ) -> None:
        names, member = np.unique(np.asarray(labels), return_inverse=True)
        if len(names) < 2:
            what = f"all have the label {str(names[0])!r}" if len(names) else "there is nothing"
            raise OscarError(f"{what}: learning to tell labels apart needs two or more")
        self.names = names
        self._items = [np.flatnonzero(member == label) for label in range(len(names))]
        self._labels_per_batch = min(labels_per_batch, len(names))
        self._items_per_label = items_per_label
        self._seed = seed
        self._likeness: np.ndarray | None = None

    @property
    def batch_size(self) -> int:
        """Items of a batch."""
        return self._labels_per_batch * self._items_per_label

    def use_likeness(self, likeness: np.ndarray) -> None:
        """From now on, put labels together that are alike, for they are the hard negatives.

        Args:
            likeness: (labels, labels), in the order of `names`; the diagonal is not read.
        """
        self._likeness = likeness - 2 * np.eye(len(likeness)) * np.abs(likeness).max()

    def __call__(self, step: int) -> np.ndarray:
        """Item numbers of a step (batch_size,), those of a label together."""
        draw = np.random.default_rng([self._seed, step])
        chosen = [
            draw.choice(self._items[label], self._items_per_label, replace=self._few(label))
            for label in self._labels(draw)
        ]
        return np.concatenate(chosen)

    def _few(self, label: int) -> bool:
        return len(self._items[label]) < self._items_per_label

    def _labels(self, draw: np.random.Generator) -> np.ndarray:
        """Labels of a batch: at random, or a half at random and the most alike of each."""
        count = self._labels_per_batch
        drawn = draw.permutation(len(self.names))
        if self._likeness is None:
            return drawn[:count]
        seeds = drawn[: max(1, count // 2)]
        alike = self._likeness[seeds].argmax(axis=1)
        return np.array(list(dict.fromkeys([*seeds, *alike, *drawn]))[:count])


class EpochSampler:
    """Deals all items in a new order each time, a batch at a step, the odd ones left out.

    A step is a function of seed and step number alone.

    Args:
        count: how many items there are.
        batch_size: of a step; all there are if these are fewer.
        seed: of the orders.
    """

    def __init__(self, count: int, batch_size: int, seed: int) -> None:
        self._count, self._size, self._seed = count, min(batch_size, count), seed

    def __call__(self, step: int) -> np.ndarray:
        """Item numbers of a step (batch_size,)."""
        epoch, place = divmod(step, self._count // self._size)
        order = np.random.default_rng([self._seed, epoch]).permutation(self._count)
        return order[place * self._size : (place + 1) * self._size]
