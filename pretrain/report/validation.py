"""What a model has learned, asked of functions that are held out from its training."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from oscar.batching import FunctionBatch, batches_by_budget, collate
from oscar.config import OscarConfig
from oscar.encoded import EncodedFunction
from oscar.tokenizer import OscarTokenizer
from pretrain.config import TrainingConfig
from pretrain.data.classes import draws, held_out
from pretrain.data.encoded_corpus import EncodedCorpus
from pretrain.data.masking import IGNORED, MaskedBatch, mask_batch
from pretrain.objective.contrast import symmetric_losses
from pretrain.objective.objective import PretrainingModel
from pretrain.report.metrics import HELD_OUT
from pretrain.report.opcodes import OPCODE_CLASSES, opcode_class
from static_analysis import opcode

BEST = f"{HELD_OUT}loss"
"""The figure whose lowest value tells the best model."""

_STREAMS = ("instruction", "environment")


class Validation:
    """Guesses hidden tokens of held-out functions, and finds their other views.

    The functions, views and masks are the same each time, and the same for every rank.

    Args:
        corpus: The encoded corpus; those of its rows are read that `held_out` names.
        tokenizer: Tells the opcodes.
        shape: Of the model.
        config: Gives the share held out, the most functions read, masking, temperature, weights
            and the tokens read at once.
    """

    def __init__(
        self,
        corpus: EncodedCorpus,
        tokenizer: OscarTokenizer,
        shape: OscarConfig,
        config: TrainingConfig,
    ) -> None:
        self._config, self._shape = config, shape
        self._pairs = view_pairs(corpus, config)
        self._views = {row: corpus[row] for pair in self._pairs for row in pair}
        self._kinds = {
            pair[0]: opcode_kinds(self._views[pair[0]], tokenizer) for pair in self._pairs
        }

    def __call__(self, model: PretrainingModel) -> dict[str, float]:
        """The figures of a model, under names that begin with `HELD_OUT`; none without functions.

        Every rank must ask; all get the same. Figures: "mlm_…" and "accuracy_…" of both streams
        (mean cross entropy and share of hidden tokens guessed right), "accuracy_…" of the classes
        of opcodes over both streams, "contrast" (`symmetric_losses` of the projected views),
        "recall_at_1", "mrr" (first view as query among the last views of all functions, by cosine
        of their embeddings), "pool" (the number of these), and "loss", weighted as in training.
        """
        if not self._pairs:
            return {}
        training = model.training
        model.eval()
        with torch.no_grad():
            figures = self._guess(model) | self._find(model)
        model.train(training)
        weights = {
            "mlm_instruction": self._config.instruction_weight,
            "mlm_environment": self._config.environment_weight,
            "contrast": self._config.contrast_weight * (self._config.contrast != "none"),
        }
        loss = sum(weight * figures.get(name, 0.0) for name, weight in weights.items())
        return {f"{HELD_OUT}{name}": value for name, value in {"loss": loss, **figures}.items()}

    def _guess(self, model: PretrainingModel) -> dict[str, float]:
        """Loss and accuracy of hidden tokens, each over all functions."""
        losses: dict[str, list[Tensor]] = defaultdict(list)
        right: dict[str, list[Tensor]] = defaultdict(list)
        for masked, kinds in self.masked_batches():
            masked = masked.to(model.encoder.model.device)
            output = model.encoder.model(masked.batch)
            for stream, (logits, ids) in zip(_STREAMS, model.guess(masked, output), strict=True):
                losses[stream].append(F.cross_entropy(logits.float(), ids, reduction="none"))
                hits = logits.argmax(-1) == ids
                right[stream].append(hits)
                for number, kind in enumerate(OPCODE_CLASSES):
                    right[kind].append(hits[kinds[stream].to(hits.device) == number])
        means = {f"mlm_{name}": _mean(parts) for name, parts in losses.items()}
        means |= {f"accuracy_{name}": _mean(parts) for name, parts in right.items()}
        return {name: mean for name, mean in means.items() if mean is not None}

    def masked_batches(self) -> Iterator[tuple[MaskedBatch, dict[str, Tensor]]]:
        """Masked first views, and the number of the opcode class of each token to guess."""
        for rows in self._batches([first for first, _ in self._pairs]):
            functions = [self._views[row] for row in rows]
            masked = mask_batch(
                functions, self._shape, self._config.mask_rate, rows, self._config.masking
            )
            labels = (masked.instruction_labels, masked.environment_labels)
            kinds = {}
            for stream, label in zip(_STREAMS, labels, strict=True):
                entries = [getattr(function, stream) for function in functions]
                spread = zip(rows, entries, strict=True)
                each = [np.repeat(self._kinds[row], entry.lengths) for row, entry in spread]
                kinds[stream] = torch.from_numpy(np.concatenate(each))[label != IGNORED]
            yield masked, kinds

    def _find(self, model: PretrainingModel) -> dict[str, float]:
        """How well first views find last views, of the functions that have two."""
        pairs = [pair for pair in self._pairs if pair[0] != pair[1]]
        if len(pairs) < 2:
            return {}
        first, last = (self._embed(model, [pair[side] for pair in pairs]) for side in (0, 1))
        scores = F.normalize(first.double(), dim=-1) @ F.normalize(last.double(), dim=-1).T
        scores = scores.round(decimals=9)
        # Others as near as the right one come before it: a model that gives all functions one
        # vector finds nothing.
        ranks = (scores >= scores.diagonal()[:, None]).sum(1).float()
        own = torch.arange(len(pairs), device=scores.device)
        query, key = (model.encoder.project(part) for part in (first, last))
        contrast, _ = symmetric_losses(query, key, own, self._config.temperature)
        return {
            "contrast": contrast.mean().item(),
            "recall_at_1": (ranks == 1).float().mean().item(),
            "mrr": (1 / ranks).mean().item(),
            "pool": len(pairs),
        }

    def _embed(self, model: PretrainingModel, rows: Sequence[int]) -> Tensor:
        """Embeddings (rows, H) of whole views."""
        order: list[int] = []
        vectors = []
        for batch in self._batches(rows):
            functions = collate([self._views[row] for row in batch], self._shape)
            moved: FunctionBatch = functions.to(model.encoder.model.device)
            vectors.append(model.encoder.model(moved).embedding.float())
            order += batch
        places = {row: place for place, row in enumerate(order)}
        return torch.cat(vectors)[[places[row] for row in rows]]

    def _batches(self, rows: Sequence[int]) -> Iterator[list[int]]:
        """Rows of similar size together, within the token budget."""
        ordered = sorted(rows, key=lambda row: (self._views[row].size, row))
        sizes = [self._views[row].size for row in ordered]
        for part in batches_by_budget(sizes, self._config.token_budget):
            yield [ordered[place] for place in part]


def view_pairs(corpus: EncodedCorpus, config: TrainingConfig) -> list[tuple[int, int]]:
    """Rows of the first and the last view of held-out functions.

    One function of each class is taken, one with several views if there is any, and of the classes
    those drawn first, so that more of them only add to fewer.

    Returns:
        At most `validation_functions` pairs; both rows are the same where there is one view.
    """
    kept = held_out(corpus.classes, config.validation_share, config.seed).nonzero()[0]
    views: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for row in kept.tolist():
        views[int(corpus.classes[row])][int(corpus.groups[row])].append(row)
    order = draws(np.array([*views], np.int64), config.seed).argsort()
    chosen = [[*views.values()][place] for place in order[: config.validation_functions]]
    longest = [max(groups.values(), key=len) for groups in chosen]
    return [(rows[0], rows[-1]) for rows in longest]


def opcode_kinds(function: EncodedFunction, tokenizer: OscarTokenizer) -> NDArray[np.int64]:
    """The number of the opcode class of each instruction (n,)."""
    entries = function.instruction.lists()
    names = [opcode_class(opcode(tokenizer.instruction.decode(ids) or [""])) for ids in entries]
    return np.array([OPCODE_CLASSES.index(name) for name in names])


def _mean(parts: list[Tensor]) -> float | None:
    """The mean of all values, None if there are none."""
    values = torch.cat(parts).float()
    return values.mean().item() if len(values) else None
