import torch
from torch.nn.functional import cross_entropy, normalize

from finetune.training.proxies import Proxies


def test_worked_by_hand():
    proxies = Proxies(labels=2, size=2, temperature=0.5)
    proxies.vectors.data = torch.tensor([[3.0, 0.0], [0.0, 0.1]])
    vectors = torch.tensor([[1.0, 0.0], [0.6, 0.8]])
    expected = cross_entropy(torch.tensor([[2.0, 0.0], [1.2, 1.6]]), torch.tensor([0, 0]))
    found = proxies(vectors, torch.tensor([0, 0]), torch.arange(2))
    torch.testing.assert_close(found, expected)


def test_proxies_learn_by_their_own_items_alone():
    torch.manual_seed(0)
    proxies = Proxies(labels=3, size=4, temperature=0.1)
    vectors, labels = normalize(torch.randn(5, 4), dim=1), torch.tensor([0, 1, 2, 0, 1])
    whole = torch.autograd.grad(proxies(vectors, labels, torch.arange(5)), proxies.vectors)[0]
    parts = [torch.tensor([1, 4]), torch.tensor([0, 2, 3])]
    losses = [proxies(vectors, labels, part) for part in parts]
    torch.testing.assert_close(losses[0], losses[1])
    sums = sum(torch.autograd.grad(loss, proxies.vectors)[0] for loss in losses)
    torch.testing.assert_close(sums, whole)


def test_learning_brings_items_to_their_proxy():
    torch.manual_seed(0)
    proxies, vectors = Proxies(3, 8, 0.1), torch.randn(12, 8, requires_grad=True)
    labels = torch.arange(12) % 3
    optimiser = torch.optim.Adam([vectors, proxies.vectors], 0.1)
    for _ in range(60):
        optimiser.zero_grad()
        proxies(normalize(vectors, dim=1), labels, torch.arange(12)).backward()
        optimiser.step()
    cosines = normalize(vectors, dim=1) @ normalize(proxies.vectors, dim=1).T
    assert torch.equal(cosines.argmax(dim=1), labels)
