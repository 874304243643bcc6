"""What pretraining minimises: masked tokens of both streams and contrast of functions at once."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from oscar.batching import FunctionBatch
from oscar.config import OscarConfig
from oscar.decoder import MaskedTokenDecoder
from oscar.model import OscarModel, OscarOutput
from pretrain.config import TrainingConfig
from pretrain.data.batches import PairBatch
from pretrain.data.masking import IGNORED, MaskedBatch
from pretrain.objective.contrast import Contrast, InBatchContrast, NoContrast, Told
from pretrain.objective.moco import MomentumContrast

WIDEST_KEY = 256
_PARTS = ("mlm_instruction", "mlm_environment", "contrast")
"""The losses, in the order of `PairBatch.totals`."""


class ContrastiveEncoder(nn.Module):
    """The model, and what its embeddings pass before views are compared.

    Args:
        model: The model to train.
        head: "none": embeddings are compared as they are, as search compares them. "mlp": behind
            one hidden layer of H units, from the hidden size H to min(256, H) (768 → 768 → 256 in
            OSCAR).
    """

    def __init__(self, model: OscarModel, head: str) -> None:
        super().__init__()
        width = model.config.hidden_size
        self.dim = min(WIDEST_KEY, width) if head == "mlp" else width
        self.model = model
        self.head: nn.Module = nn.Identity()
        if head == "mlp":
            last = nn.Linear(width, self.dim)
            self.head = nn.Sequential(nn.Linear(width, width), nn.ReLU(), last)

    def project(self, embedding: Tensor) -> Tensor:
        """Unit vectors (batch, dim) in float32 of embeddings (batch, H)."""
        return F.normalize(self.head(embedding).float(), dim=-1)

    def forward(self, batch: FunctionBatch) -> Tensor:
        """Unit vectors (batch, dim) of functions."""
        return self.project(self.model(batch).embedding)


class PretrainingModel(nn.Module):
    """Encoder, projection head and masked-token decoders: everything that is trained.

    The loss of a step is

        instruction_weight · mean over its masked instruction tokens
        + environment_weight · mean over its masked environment tokens
        + contrast_weight · mean over its functions of the contrastive loss.

    Peng et al. divide (sum over masked tokens + 1000 · sum over functions) by the number of masked
    tokens; with m masked tokens to a function, their weight is 1000 / m of ours, and both streams
    share one mean. Means per stream make the weights independent of how long functions are.

    Args:
        encoder: The encoder to train.
        contrast: How functions are told from each other.
        config: Gives the weights of the losses.

    Attributes:
        contrast: As given; it must `begin` each step.
    """

    def __init__(
        self, encoder: ContrastiveEncoder, contrast: Contrast, config: TrainingConfig
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.decoder = MaskedTokenDecoder(encoder.model.config)
        self.contrast = contrast
        weights = (config.instruction_weight, config.environment_weight, config.contrast_weight)
        self._weights = dict(zip(_PARTS, weights, strict=True))

    def forward(self, batch: PairBatch) -> dict[str, Tensor]:
        """Losses and accuracies of a micro-batch, as shares of the step's means.

        Each is a sum over this micro-batch divided by the step's total, so that they add up, over
        micro-batches and ranks, to the figures of the step.

        Returns:
            Scalars: "loss" (with gradient) and, detached, "mlm_instruction", "mlm_environment",
            "contrast" and the three "accuracy_…" of the same names.
        """
        output = self.encoder.model(batch.query.batch)
        told = self.contrast.tell(self.encoder.project(output.embedding), batch)
        instruction, environment = (_told(*pair) for pair in self.guess(batch.query, output))
        parts = dict(zip(_PARTS, (instruction, environment, told), strict=True))
        totals = dict(zip(_PARTS, batch.totals.clamp(min=1), strict=True))
        losses = {name: part.loss / totals[name] for name, part in parts.items()}
        return {
            "loss": sum(self._weights[name] * loss for name, loss in losses.items()),
            **{name: loss.detach() for name, loss in losses.items()},
            **{
                f"accuracy_{name.removeprefix('mlm_')}": part.right / totals[name]
                for name, part in parts.items()
            },
        }

    def guess(self, masked: MaskedBatch, output: OscarOutput) -> list[tuple[Tensor, Tensor]]:
        """The hidden tokens of the instruction and of the environment stream.

        Args:
            masked: Functions with hidden tokens.
            output: What the model gives for them.

        Returns:
            For each stream the logits (hidden, vocabulary) and the right ids (hidden,).
        """
        labels = (masked.instruction_labels, masked.environment_labels)
        targets = [part != IGNORED for part in labels]
        logits = self.decoder(self.encoder.model, output, masked.batch, *targets)
        right = [part[target] for part, target in zip(labels, targets, strict=True)]
        return list(zip(logits, right, strict=True))


def _told(logits: Tensor, ids: Tensor) -> Told:
    """Summed cross entropy of tokens, and how many have the largest logit; zero without tokens."""
    loss = F.cross_entropy(logits.float(), ids, reduction="sum")
    return Told(loss, (logits.detach().argmax(-1) == ids).sum())


def build_objective(
    shape: OscarConfig, config: TrainingConfig, device: torch.device
) -> PretrainingModel:
    """A new model with what it is trained by, its weights drawn from torch's generator.

    Build it before an engine shares the weights out: momentum contrast copies them whole.

    Args:
        shape: Of the model.
        config: Names the contrast and gives its options and the weights of the losses.
        device: Where to train.
    """
    encoder = ContrastiveEncoder(OscarModel(shape), config.head).to(device)
    contrast: Contrast
    if config.contrast == "moco":
        contrast = MomentumContrast(
            encoder,
            size=config.queue_size,
            temperature=config.temperature,
            ceiling=config.momentum,
            device=device,
        )
    elif config.contrast == "in-batch":
        contrast = InBatchContrast(encoder, config.temperature)
    else:
        contrast = NoContrast()
    return PretrainingModel(encoder, contrast, config).to(device)
