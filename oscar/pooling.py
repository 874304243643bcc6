"""One vector for each of several runs of rows: the mean of an entry's tokens, or a function's."""

import torch
from torch import Tensor, nn

from oscar.config import OscarConfig


def mean_of_runs(x: Tensor, lengths: Tensor) -> Tensor:
    """Give the mean (runs, …) of each run of consecutive rows of x, zero for an empty run.

    Args:
        x: (rows, …).
        lengths: (runs,) rows of each.
    """
    sums = torch.segment_reduce(x, "sum", lengths=lengths, axis=0, unsafe=True)
    return sums / lengths.clamp(min=1)[:, None].to(x.dtype)


class FunctionPooling(nn.Module):
    """Reads a function's embedding off its function-level states.

    "mean" of all entries gives each of them a gradient from the first step on; "attention" learns
    how much each counts, starting from the mean; "first" is the paper's: the state of CLS_i, or of
    CLS_s where the environment is read alone.
    """

    def __init__(self, config: OscarConfig) -> None:
        super().__init__()
        self.kind = config.pooling
        self.separate = config.sequence == "separate"
        if self.kind == "attention":
            self.weight = nn.Parameter(torch.zeros(config.hidden_size))

    def forward(self, cls: Tensor, entries: Tensor, lengths: Tensor) -> Tensor:
        """Give embeddings (B, H).

        Args:
            cls: (B, S, H) states of the CLS entries.
            entries: (n, S, H) states of the entries of all functions.
            lengths: (B,) instructions of each function.
        """
        if self.kind == "first":
            return cls.mean(1) if self.separate else cls[:, 0]
        if self.kind == "mean":
            return mean_of_runs(entries.mean(1), lengths)
        # The mean of e^s v over that of e^s; a function's largest s is taken off, and cancels.
        scores = entries.float() @ self.weight.float()
        largest = torch.segment_reduce(
            scores.detach().amax(1), "max", lengths=lengths, axis=0, unsafe=True
        )
        weights = (scores - largest.repeat_interleave(lengths)[:, None]).exp()[..., None]
        both = torch.cat([weights * entries, weights], dim=-1).mean(1)
        sums = mean_of_runs(both, lengths)
        return sums[:, :-1] / sums[:, -1:]
