"""Steps made ahead in other processes, so that the model does not wait for them."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import TypeVar

from torch.utils.data import DataLoader, Dataset

from pretrain.data.processes import HelperContext

Step = TypeVar("Step")

_AHEAD = 2
"""Steps that each worker makes ahead."""


def feed(steps: Dataset[Step], start: int, stop: int, workers: int) -> Iterator[Step]:
    """The steps `start` to `stop` - 1 in order, made by `workers` processes; 0: by this one.

    A step does not depend on which worker makes it. The workers are started at once, for it takes
    them seconds to be ready.
    """
    if workers == 0:
        return (steps[number] for number in range(start, stop))
    loader: DataLoader[Step] = DataLoader(
        steps,
        batch_size=None,
        sampler=range(start, stop),
        num_workers=workers,
        prefetch_factor=_AHEAD,
        multiprocessing_context=HelperContext(),
        worker_init_fn=_leave_signals_to_the_trainer,
    )
    return iter(loader)


def _leave_signals_to_the_trainer(number: int) -> None:
    """Ctrl-C and a cluster's SIGTERM reach all processes, and the trainer finishes its step."""
    for stopping in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stopping, signal.SIG_IGN)
