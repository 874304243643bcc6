"""What pretraining minimises: masked tokens of both streams and momentum contrast, in one pass."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from oscar.batching import FunctionBatch
from oscar.decoder import MaskedTokenDecoder
from oscar.model import OscarModel
from pretrain.config import TrainingConfig
from pretrain.masking import IGNORED, MaskedBatch
from pretrain.moco import KeyQueue, contrastive_logits, contrastive_loss

WIDEST_KEY = 256


class ContrastiveEncoder(nn.Module):
    """The model with the projection head in which views are compared (768 → 768 → 256 in OSCAR).

    Args:
        model: The model to train; the head takes its hidden size H to min(256, H) over one hidden
            layer of H units.
    """

    def __init__(self, model: OscarModel) -> None:
        super().__init__()
        width = model.config.hidden_size
        self.dim = min(WIDEST_KEY, width)
        self.model = model
        self.head = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, self.dim))

    def project(self, embedding: Tensor) -> Tensor:
        """Unit vectors (batch, dim) in float32 of embeddings (batch, H)."""
        return F.normalize(self.head(embedding).float(), dim=-1)

    def forward(self, batch: FunctionBatch) -> Tensor:
        """Unit vectors (batch, dim) of functions."""
        return self.project(self.model(batch).embedding)


class PretrainingModel(nn.Module):
    """Encoder, projection head and masked-token decoders: everything that is trained.

    The loss is

        mean over masked instruction tokens + mean over masked environment tokens
        + moco_weight · mean over functions of the contrastive loss.

    Peng et al. divide (sum over masked tokens + 1000 · sum over functions) by the number of masked
    tokens; with m masked tokens to a function, their weight is 1000 / m of ours, and both streams
    share one mean. Means per stream make the weights independent of how long functions are.

    Args:
        model: The model to train.
        config: Gives temperature and weight of the contrastive loss.
    """

    def __init__(self, model: OscarModel, config: TrainingConfig) -> None:
        super().__init__()
        self.encoder = ContrastiveEncoder(model)
        self.decoder = MaskedTokenDecoder(model.config)
        self.temperature = config.temperature
        self.moco_weight = config.moco_weight

    def forward(
        self, masked: MaskedBatch, keys: Tensor, classes: Tensor, queue: KeyQueue
    ) -> dict[str, Tensor]:
        """Losses and accuracies of a batch.

        Args:
            masked: The query views.
            keys: Unit vectors (batch, dim) of the key views.
            classes: Class of each function (batch,).
            queue: The negatives.

        Returns:
            Scalars: "loss" (with gradient) and, detached, "mlm_instruction", "mlm_environment",
            "contrast" and the three "accuracy_…" of the same names.
        """
        output = self.encoder.model(masked.batch)
        queries = self.encoder.project(output.embedding)
        contrast = contrastive_logits(queries, keys, classes, queue, self.temperature)
        labels = (masked.instruction_labels, masked.environment_labels)
        targets = [part != IGNORED for part in labels]
        streams = self.decoder(self.encoder.model, output, masked.batch, *targets)
        right = [part[target] for part, target in zip(labels, targets, strict=True)]
        mlm = [_mean_loss(logits, ids) for logits, ids in zip(streams, right, strict=True)]
        moco = contrastive_loss(contrast)
        first = torch.zeros(len(contrast), dtype=torch.int64, device=contrast.device)
        return {
            "loss": mlm[0] + mlm[1] + self.moco_weight * moco,
            "mlm_instruction": mlm[0].detach(),
            "mlm_environment": mlm[1].detach(),
            "contrast": moco.detach(),
            "accuracy_instruction": _accuracy(streams[0], right[0]),
            "accuracy_environment": _accuracy(streams[1], right[1]),
            "accuracy_contrast": _accuracy(contrast, first),
        }


def _mean_loss(logits: Tensor, ids: Tensor) -> Tensor:
    """Mean cross entropy over the tokens, zero when there is none to guess."""
    return F.cross_entropy(logits.float(), ids, reduction="sum") / max(1, len(ids))


def _accuracy(logits: Tensor, ids: Tensor) -> Tensor:
    """Share of rows whose largest logit is the right one, zero when there is no row."""
    return (logits.detach().argmax(-1) == ids).sum() / max(1, len(ids))
