"""A learned vector for each label, to which the items of the label are drawn."""

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, normalize


class Proxies(nn.Module):
    """Stand-ins for the labels of a run, so that every step tells an item from all labels.

    The normalised softmax loss (Zhai and Wu, "Classification is a Strong Baseline for Deep Metric
    Learning", BMVC 2019); the word is that of Movshovitz-Attias et al., ICCV 2017.

    Args:
        labels: how many there are.
        size: numbers in an item's vector.
        temperature: divisor of the cosines.
        weight: of the loss beside others.
    """

    def __init__(self, labels: int, size: int, temperature: float, weight: float = 1.0) -> None:
        super().__init__()
        self.vectors = nn.Parameter(torch.randn(labels, size))
        self.temperature, self.weight = temperature, weight

    def forward(self, vectors: Tensor, labels: Tensor, own: Tensor) -> Tensor:
        """How far items are from their labels' proxies, rather than from those of others.

        Args:
            vectors: of unit length (items, dim).
            labels: numbers of the items' labels (items,).
            own: places of the items by which the proxies learn (own,). Where a step is read in
                parts, those of each part, so that the gradients of the parts add up.

        Returns:
            Mean over all items of the cross entropy (scalar), times the weight.
        """
        proxies = normalize(self.vectors.float(), dim=1)
        cosines = vectors @ proxies.detach().T
        cosines = cosines.index_copy(0, own, vectors[own] @ proxies.T)
        return self.weight * cross_entropy(cosines / self.temperature, labels)
