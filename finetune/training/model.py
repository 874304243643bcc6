"""The model in training: items in, how badly their vectors tell the labels apart out."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from finetune.training.config import TuningConfig
from finetune.training.items import ItemBatch
from finetune.training.loss import label_loss
from finetune.training.proxies import Proxies
from oscar.model import OscarModel


class TuningModel(nn.Module):
    """An OscarModel whose embeddings are pulled together by label.

    No head stands between the embedding and the loss: the tuned model is an OscarModel like any
    other, which `embed`, `index` and `search` take.

    Args:
        encoder: the model to tune.
        temperature: of the contrastive loss.
        proxies: of the labels, if items are drawn to those beside each other.

    Attributes:
        compares: whether the loss of an item depends on the other items of its step.
    """

    compares = True

    def __init__(
        self, encoder: OscarModel, temperature: float, proxies: Proxies | None = None
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.temperature = temperature
        self.proxies = proxies

    def vectors(self, batch: ItemBatch) -> Tensor:
        """Unit-length vectors of items (items, dim): the weighed mean of their functions'."""
        functions = normalize(self.encoder(batch.functions).embedding.float(), dim=1)
        sums = functions.new_zeros(len(batch), functions.shape[1])
        weighed = functions * batch.weights[:, None]
        return normalize(sums.index_add(0, batch.items, weighed), dim=1)

    def forward(self, batch: ItemBatch, labels: Tensor, known: Tensor | None = None) -> Tensor:
        """The loss of a step (scalar), with a gradient through this batch's items.

        Args:
            batch: some or all items of the step.
            labels: of all items of the step (items,).
            known: vectors of all items of the step (items, dim), without gradient; None where the
                batch is the whole step. Over the batches of a step the gradients add up to those
                of the whole step.
        """
        vectors, places = self.vectors(batch), batch.places
        if known is None:
            labels, places = labels[places], torch.arange(len(batch), device=places.device)
        else:
            vectors = known.index_copy(0, places, vectors)
        loss = self.loss(vectors, labels)
        return loss if self.proxies is None else loss + self.proxies(vectors, labels, places)

    def loss(self, vectors: Tensor, labels: Tensor) -> Tensor:
        """How far the labels (items,) are from being told apart by the vectors (items, dim)."""
        return label_loss(vectors, labels, self.temperature)

    def save(self, folder: Path, facts: Mapping[str, Any]) -> None:
        """Write the tuned model as a model folder.

        Args:
            folder: made if it is not there.
            facts: of the training, for the model card.

        Raises:
            ValueError: the model has no tokenizer.
        """
        if self.encoder.tokenizer is None:
            raise ValueError("a model without a tokenizer cannot be saved")
        self.encoder.save_pretrained(folder, self.encoder.tokenizer, training=dict(facts))


def tuning_model(encoder: OscarModel, labels: int, options: TuningConfig) -> TuningModel:
    """A model to tune as the options say, on the device of its encoder.

    Args:
        encoder: the model.
        labels: how many labels there are to tell apart.
        options: of the run.
    """
    proxies = None
    if options.proxy_weight:
        size = encoder.config.hidden_size
        proxies = Proxies(labels, size, options.temperature, options.proxy_weight)
    return TuningModel(encoder, options.temperature, proxies).to(encoder.device)
