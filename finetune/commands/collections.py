"""Collections as the verbs take them: their corpora are built where they are missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from finetune.data.programs import Collection, open_collection
from ir_pipeline.preprocess import preprocess
from static_analysis import OscarError


def open_or_build(
    programs: Path, corpus: Path, views: Sequence[str], per_label: int | None, seed: int
) -> Collection:
    """Open a collection; its corpus is built with a progress bar and a table if need be.

    Args:
        programs: the `.jsonl[.gz]` file.
        corpus: folder of its corpus.
        views: how many or which ones a new corpus gets.
        per_label: how many programs of each label to take; None: all.
        seed: chooses others.

    Raises:
        OscarError: the file holds no labelled programs, or the corpus is not of this file.
    """
    if per_label is not None and per_label < 1:
        raise OscarError(f"--per-label {per_label}: take at least one program of each label")

    def build(sources: list[Path], out: Path, views: list[str]) -> None:
        preprocess(sources, out=out, views=views)

    return open_collection(
        programs, corpus, views=views, per_label=per_label, seed=seed, build=build
    )


def check_clones(collection: Collection) -> None:
    """Accept programs to look for clones among.

    Raises:
        OscarError: there is only one problem, or no two programs of one that lower.
    """
    sizes = Counter(program.label for program in collection.lowered)
    if len(sizes) < 2 or max(sizes.values()) < 2:
        raise OscarError(
            f"{collection.path}: {len(sizes)} problem(s) with {sizes.total()} programs that lower: "
            "two problems are needed, and two programs of one"
        )
