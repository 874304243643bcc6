"""torch.compile for what every layer does to each row alone; without a compiler, nothing happens.

Attention stays as it is: its shapes change with every batch. On a GPU the norms, activations and
sums around the products are fused; on a CPU the products take the time, compiled or not.
"""

import torch
from rich.console import Console
from torch import nn

from oscar.layers import TransformerLayer


def compile_layers(model: nn.Module) -> bool:
    """Compile the feed-forward networks of all Transformer layers, for any number of rows.

    Names of weights do not change. If it cannot be done, as without a C++ compiler, one line on
    standard error says why, and the model runs as before.

    Returns:
        Whether they are compiled.
    """
    networks = [part.feed_forward for part in model.modules() if isinstance(part, TransformerLayer)]
    try:
        for network in networks:
            network.compile(dynamic=True)
        _try(networks[0])
    except Exception as error:  # whatever a compiler raises: training does not depend on it
        for network in networks:
            network._compiled_call_impl = None
        reason = str(error).strip().splitlines()[0]
        Console(stderr=True, soft_wrap=True, markup=False, highlight=False).print(
            f"oscar: not compiled, running as it is ({type(error).__name__}: {reason})"
        )
        return False
    return True


def _try(network: nn.Module) -> None:
    """Run forward and backward, which is when torch compiles; gradients are left as they were."""
    weight = next(network.parameters())
    x = torch.ones(3, weight.shape[-1], device=weight.device, dtype=weight.dtype)
    torch.autograd.grad(network(x).sum(), list(network.parameters()))
