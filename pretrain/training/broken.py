"""Leaves the step on which a run was given up for inspection, without pickle."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor

from pretrain.data.batches import Step
from pretrain.engine.world import World


def save_step(folder: Path, step: Step, world: World) -> None:
    """Writes this rank's part of a step: `step-N-rank-R.safetensors` and `.json`.

    The tensors are those that the model read, under names such as `0.query.batch.layout.lengths`
    with the number of the micro-batch first. The JSON lists the rows of the encoded corpus, query
    and key view of each function, in the order of the tensors.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = f"step-{step.number + 1:08d}-rank-{world.rank}"
    tensors = {path: part.detach().cpu().clone() for path, part in named_tensors(step.parts)}
    save_file(tensors, folder / f"{name}.safetensors")
    facts = {"step": step.number + 1, "rank": world.rank, "rows": step.rows}
    (folder / f"{name}.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


def named_tensors(value: Any, prefix: str = "") -> Iterator[tuple[str, Tensor]]:
    """The tensors in a tree of data classes and lists; lists of whole numbers as tensors."""
    if isinstance(value, Tensor):
        yield prefix, value
    elif isinstance(value, list) and all(isinstance(part, int) for part in value):
        yield prefix, torch.tensor(value, dtype=torch.int64)
    else:
        parts: Iterator[tuple[str, Any]] = iter(())
        if isinstance(value, (list, tuple)):
            parts = ((str(number), part) for number, part in enumerate(value))
        elif is_dataclass(value):
            parts = ((field.name, getattr(value, field.name)) for field in fields(value))
        for name, part in parts:
            yield from named_tensors(part, f"{prefix}.{name}" if prefix else name)
