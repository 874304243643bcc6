"""By how much memory grows while something runs."""

import ctypes
import gc
from collections.abc import Callable
from pathlib import Path

import torch


def peak_growth(run: Callable[[], object], device: torch.device) -> float:
    """Give by how many megabytes memory grows at most while `run` runs.

    On a CPU that of the process's resident set, on a GPU what torch allocates.
    """
    gc.collect()
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
        allocated = torch.cuda.memory_allocated(device)
        run()
        return (torch.cuda.max_memory_allocated(device) - allocated) / 1e6
    ctypes.CDLL(None).malloc_trim(0)  # what was freed before must not hide what is taken now
    before = _resident("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
    run()
    return _resident("VmHWM") - before


def _resident(entry: str) -> float:
    """Give a figure of the process's memory in megabytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(entry)) * 1024 / 1e6
