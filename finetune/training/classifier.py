"""The class of an item: a model behind which a linear layer tells the classes apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from finetune.training.items import ItemBatch, Items
from finetune.training.judging import item_vectors
from finetune.training.model import TuningModel
from finetune.training.rows import Rows
from oscar.model import OscarModel


class Classifier(TuningModel):
    """An OscarModel and a linear layer over the unit-length vectors of items.

    The layer is not saved: what is kept is a model whose vectors tell the classes apart, with which
    a layer like it is learned again in a moment.

    Args:
        encoder: the model to tune.
        classes: their names, in the order of their numbers.
        temperature: what the layer's outputs are divided by, because vectors of unit length leave
            them small.
    """

    compares = False

    def __init__(self, encoder: OscarModel, classes: Sequence[str], temperature: float) -> None:
        super().__init__(encoder, temperature)
        self.classes = np.asarray(classes)
        self.head = nn.Linear(encoder.config.hidden_size, len(classes))

    def forward(self, batch: ItemBatch, labels: Tensor, known: Tensor | None = None) -> Tensor:
        """This batch's share of the loss of a step (scalar).

        Args:
            batch: some or all items of the step.
            labels: of all items of the step (items,).
            known: not needed: no item is compared with others.
        """
        own = self.loss(self.vectors(batch), labels[batch.places])
        return own * (len(batch) / len(labels))

    def loss(self, vectors: Tensor, labels: Tensor) -> Tensor:
        """Mean cross entropy of the labels (items,) given the vectors (items, dim)."""
        return cross_entropy(self._outputs(vectors), labels)

    @torch.inference_mode()
    def called(self, vectors: np.ndarray) -> np.ndarray:
        """Names of the likeliest classes (items,) of unit-length vectors (items, dim)."""
        there = torch.tensor(vectors, dtype=torch.float32, device=self.encoder.device)
        names: np.ndarray = self.classes[self._outputs(there).argmax(dim=1).cpu().numpy()]
        return names

    def _outputs(self, vectors: Tensor) -> Tensor:
        outputs: Tensor = self.head(vectors).float() / self.temperature
        return outputs


class ClassScore:
    """Share of the validation items whose class is found; its complement is the error.

    Args:
        items: to validate on.
        rows: what their views are of.
        lost: how many more there are that cannot be read; their class is not found.
    """

    def __init__(self, items: Items, rows: Rows, lost: int = 0) -> None:
        self._items, self._rows, self._lost = items, rows, lost

    def __call__(self, classifier: Classifier) -> float:
        """The figure of a model."""
        vectors = item_vectors(classifier.encoder, self._items, self._rows)
        right = int((classifier.called(vectors) == np.asarray(self._items.labels)).sum())
        return right / (len(self._items) + self._lost)
