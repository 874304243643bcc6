"""Which programs a model was tuned on, so that none of them is among those that judge it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from finetune.data.programs import Program
from ir_pipeline.atomic import write_atomically
from static_analysis import OscarError

RECORD = "learned-from.json"
"""Beside the model: hashes of the programs whose labels it has seen."""


def remember(folder: Path, programs: Iterable[Program], options: str, start: Path | None) -> None:
    """Note in a model's folder what it is tuned on.

    Args:
        folder: made if it is not there.
        programs: those that it learns from, and those that tell which model is the best.
        options: those that part what it learns from from the rest, for messages; may be empty.
        start: folder of the model that it is made from; what that one knows, it knows too.
    """
    known = set(_read(start)[0]) if start is not None else set()
    known.update(map(_digest, programs))
    record = {"options": options, "programs": sorted(known)}
    write_atomically(folder / RECORD, json.dumps(record, indent=0).encode() + b"\n")


def check_unseen(folder: Path, programs: Sequence[Program]) -> None:
    """Accept programs to judge a model by.

    Raises:
        OscarError: it was tuned on some of them.
    """
    known, options = _read(folder)
    seen = sum(_digest(program) in known for program in programs)
    if seen:
        advice = (
            f"give {options}, as in its tuning, or other programs" if options else "give others"
        )
        raise OscarError(
            f"{folder} was tuned on {seen} of the {len(programs)} programs to judge it by: {advice}"
        )


def _read(folder: Path) -> tuple[frozenset[str], str]:
    """Hashes of the programs that a model knows, and the options of its last tuning.

    Raises:
        OscarError: the record is damaged.
    """
    path = folder / RECORD
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        return frozenset(record["programs"]), str(record["options"])
    except FileNotFoundError:
        return frozenset(), ""
    except (ValueError, KeyError, TypeError):
        raise OscarError(f"{path} is damaged: copy it again, or tune the model again") from None


def _digest(program: Program) -> str:
    text = f"{program.name}\0{program.label}\0{program.code}"
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
