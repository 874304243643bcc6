"""What a run was computed with: versions and machine."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import torch

_PACKAGES = ("oscar-ir", "torch", "deepspeed", "tokenizers", "numpy", "pyarrow", "llvmlite")


def environment() -> dict[str, str]:
    """Versions and machine of this process, by name; what cannot be told is left out."""
    facts = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            facts[package] = version(package)
        except PackageNotFoundError:
            continue
    facts["system"] = platform.platform()
    facts["processor"] = _processor()
    facts["cores"] = f"{len(os.sched_getaffinity(0))}, {torch.get_num_threads()} used by torch"
    facts["memory"] = f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB"
    if torch.cuda.is_available():
        names = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]
        facts["graphics processors"] = f"{len(names)} × {names[0]}, CUDA {torch.version.cuda}"
    return facts


def _processor() -> str:
    """The processor's name as Linux tells it, else its architecture."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return next(iter(names), platform.machine())
