"""The formula of kernelised attention, written out, to compare everything with."""

import pytest
import torch
from torch import Tensor


@pytest.fixture(scope="session")
def formula():
    """z_i = Σ_j c_{j-i} φ(q_i)ᵀφ(k_j) v_j / Σ_j c_{j-i} φ(q_i)ᵀφ(k_j), entry by entry."""

    def attend(query: Tensor, key: Tensor, v: Tensor, rpe, mask, causal: bool) -> Tensor:
        n = v.shape[2]
        weights = torch.einsum("bhim,bhjm->bhij", query, key)
        if rpe is not None:
            weights = weights * rpe.matrix(n).exp()
        if causal:
            weights = weights.tril()
        if mask is not None:
            weights = weights * mask[:, None, None, :]
        total = weights.sum(-1, keepdim=True)
        return weights @ v / torch.where(total == 0, 1.0, total)

    return attend
