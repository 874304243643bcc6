"""Whether two devices compute the same embeddings and gradients."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from oscar.batching import collate
from oscar.encoded import EncodedFunction
from oscar.model import OscarModel


@dataclass(frozen=True)
class Difference:
    """How far results on one device are from those on another, relative to their size.

    Attributes:
        embedding: Largest over the functions.
        gradient: Of all weights together.
    """

    embedding: float
    gradient: float


def compare(
    model: OscarModel,
    functions: Sequence[EncodedFunction],
    first: torch.device,
    second: torch.device,
    dtype: torch.dtype = torch.float32,
) -> Difference:
    """Runs a model forwards and backwards on both devices, the first in single precision.

    Args:
        model: Not changed; its dropout must be zero.
        functions: To embed.
        first: The device that is right.
        second: The other.
        dtype: What the second computes in, by autocast if it is not single precision.
    """
    right, right_gradient = _run(model, functions, first, torch.float32)
    other, other_gradient = _run(model, functions, second, dtype)
    embedding = (other - right).norm(dim=1) / right.norm(dim=1)
    gradient = (other_gradient - right_gradient).norm() / right_gradient.norm()
    return Difference(embedding.max().item(), gradient.item())


def _run(
    model: OscarModel,
    functions: Sequence[EncodedFunction],
    device: torch.device,
    dtype: torch.dtype,
) -> tuple[Tensor, Tensor]:
    """Embeddings (functions, H) and the gradient of their projection onto fixed directions."""
    twin = copy.deepcopy(model).to(device).train()
    with torch.autocast(device.type, dtype, enabled=dtype != torch.float32):
        embedding = twin(collate(functions, model.config).to(device)).embedding.float()
    directions = torch.randn(embedding.shape, generator=torch.Generator().manual_seed(0))
    (embedding * directions.to(device)).sum().backward()
    gradients = [
        weight.grad.flatten().cpu() for weight in twin.parameters() if weight.grad is not None
    ]
    return embedding.detach().cpu(), torch.cat(gradients)
