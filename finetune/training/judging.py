"""Vectors of items while a model is trained: how good is it, which labels are alike to it?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np
import torch

from finetune.evaluation.retrieval import evaluate_retrieval
from finetune.training.config import TuningConfig
from finetune.training.items import Items, View, collate_items
from finetune.training.model import TuningModel
from finetune.training.rows import Rows
from finetune.training.sampler import LabelSampler
from oscar.batching import batches_by_budget
from oscar.embedding import TOKENS_PER_BATCH, unit_length
from oscar.model import OscarModel


@torch.inference_mode()
def item_vectors(model: OscarModel, items: Items, rows: Rows) -> np.ndarray:
    """Unit-length vectors of items, each the mean over its views (items, dim)."""
    training = model.training
    model.eval()
    tuning = TuningModel(model, temperature=1.0)
    owners = np.repeat(np.arange(len(items)), [len(views) for views in items.views])
    views = [view for all_views in items.views for view in all_views]
    table = np.zeros((len(items), model.config.hidden_size))
    for members in _batches(views, rows):
        batch = collate_items([views[i] for i in members], range(len(members)), rows)
        vectors = tuning.vectors(batch.to(model.device)).float().cpu().numpy()
        np.add.at(table, owners[members], vectors)
    model.train(training)
    return unit_length(table)


def _batches(views: Sequence[View], rows: Rows) -> list[range]:
    sizes = np.array([int(rows.sizes[view.rows].sum()) for view in views])
    return batches_by_budget(sizes, TOKENS_PER_BATCH)


class RetrievalScore:
    """MAP@R of the items of a validation corpus."""

    def __init__(self, items: Items, rows: Rows) -> None:
        self._items, self._rows = items, rows

    def __call__(self, model: OscarModel) -> float:
        """The figure of a model."""
        vectors = item_vectors(model, self._items, self._rows)
        return evaluate_retrieval(vectors, self._items.labels).map_at_r


class LabelLikeness:
    """Cosines of the labels' mean vectors, from some items of each.

    Args:
        items: of the training corpus.
        rows: what their views are of.
        per_label: how many items to look at.
    """

    def __init__(self, items: Items, rows: Rows, per_label: int = 8) -> None:
        members: dict[str, list[int]] = defaultdict(list)
        for item, label in enumerate(items.labels):
            members[label].append(item)
        chosen = [members[label][:per_label] for label in sorted(members)]
        self._sizes = [len(members) for members in chosen]
        self._some = items.chosen([item for part in chosen for item in part])
        self._rows = rows

    def __call__(self, model: OscarModel) -> np.ndarray:
        """The cosines (labels, labels), the labels in alphabetical order."""
        vectors = item_vectors(model, self._some, self._rows)
        parts = np.split(vectors, np.cumsum(self._sizes)[:-1])
        means = unit_length(np.stack([part.mean(axis=0) for part in parts]))
        likeness: np.ndarray = means @ means.T
        return likeness


def put_alike_together(
    config: TuningConfig,
    sampler: LabelSampler,
    items: Items,
    rows: Rows,
    model: OscarModel,
) -> Callable[[], None] | None:
    """What has the sampler put labels together that are alike to the model as it stands.

    Returns:
        None where no hard negatives are asked for.
    """
    if not config.hard_negatives:
        return None
    likeness = LabelLikeness(items, rows)
    return lambda: sampler.use_likeness(likeness(model))
