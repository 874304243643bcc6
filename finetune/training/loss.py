"""Contrastive loss over labelled items: those of one label near, all others far."""

import torch
from torch import Tensor

from pretrain.objective.contrast import symmetric_losses


def contrastive_loss(
    similarities: Tensor, positive: Tensor, allowed: Tensor, temperature: float
) -> Tensor:
    """Mean over rows of the mean over their positives of -log of the positive's share.

    The supervised contrastive loss (Khosla et al., NeurIPS 2020, equation 2, the sum outside the
    logarithm); with one positive a row it is InfoNCE.

    Args:
        similarities: (n, m) cosines.
        positive: (n, m) bool, what a row should be near to.
        allowed: (n, m) bool, what a row is compared with; positives are among it.
        temperature: the smaller, the more the nearest wrong items count.

    Returns:
        Scalar; 0, still connected to `similarities`, if no row has a positive.
    """
    logits = (similarities / temperature).masked_fill(~allowed, float("-inf"))
    shares = logits.log_softmax(dim=1).masked_fill(~positive, 0)
    counts = positive.sum(dim=1)
    asked = counts > 0
    if not asked.any():
        return similarities.sum() * 0
    rows: Tensor = -shares.sum(dim=1)[asked] / counts[asked]
    return rows.mean()


def label_loss(vectors: Tensor, labels: Tensor, temperature: float) -> Tensor:
    """`contrastive_loss` of unit-length vectors (n, dim) with labels (n,) among themselves."""
    others = ~torch.eye(len(labels), dtype=torch.bool, device=labels.device)
    same = labels[:, None] == labels
    return contrastive_loss(vectors @ vectors.T, same & others, others, temperature)


def pair_loss(first: Tensor, second: Tensor, groups: Tensor, temperature: float) -> Tensor:
    """Symmetric InfoNCE of unit-length vectors (n, dim) of which rows i belong together.

    Other pairs of the same group (n,) are no negatives.
    """
    return symmetric_losses(first, second, groups, temperature)[0].mean()
