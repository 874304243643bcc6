"""Kernelised attention as the formula reads, all pairs of blocks: O(n²) time, O(n) memory."""

from torch import Tensor

from oscar.attention.attended import Attended
from oscar.attention.band import attend_in_blocks

WHOLE = 384  # tokens that still make a single block
BLOCK = 128


def dense(query: Tensor, key: Tensor, value: Tensor, log_c: Tensor, causal: bool) -> Attended:
    """Attend with every weight worked out, for any coefficients.

    Arguments and result are those of `band`. A tile of weights is alive at a time, in the
    backward pass too, where they are computed again.
    """
    n = query.shape[2]
    count = 1 if n <= WHOLE else -(-n // BLOCK)
    return attend_in_blocks(query, key, value, log_c, causal, -(-n // count), reach=count - 1)
