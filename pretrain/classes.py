"""Which functions are one and the same, so that none is pushed away from itself.

A `static` function of a header is a function of its own in every unit that includes it, in a group
of its own. Its tokens tell: two groups that share a view do the same, for the views of a group are
equivalent. Contrasting them would teach a model to tell apart what is equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from networkx.utils import UnionFind

from ir_pipeline import open_corpus
from pretrain.config import TrainingError

_ROWS_AT_ONCE = 256


def read_columns(corpus: Path, columns: Sequence[str]) -> Iterator[list[dict[str, Any]]]:
    """Rows of a corpus in its order, some hundred at a time, as dicts of these columns."""
    for shard in open_corpus(corpus).shards:
        with pq.ParquetFile(shard) as file:
            for batch in file.iter_batches(_ROWS_AT_ONCE, columns=list(columns)):
                yield batch.to_pylist()


def function_classes(corpus: Path) -> dict[str, int]:
    """The class number of every group: equal for groups joined by views with equal tokens."""
    joined = UnionFind()
    first: dict[str, str] = {}  # a group that has a view of this hash
    for rows in read_columns(corpus, ["group", "hash"]):
        for row in rows:
            joined.union(row["group"], first.setdefault(row["hash"], row["group"]))
    return {group: i for i, groups in enumerate(joined.to_sets()) for group in groups}


def check_size(corpus: Path, shortest: int) -> None:
    """Refuses a corpus in which there is nothing to contrast.

    Args:
        corpus: The corpus folder.
        shortest: Views with fewer instructions do not count.

    Raises:
        TrainingError: Fewer than two different functions are left.
        OscarError: The folder is missing or no corpus of this format.
    """
    classes = function_classes(corpus)
    kept: set[int] = set()
    short = 0
    for rows in read_columns(corpus, ["group", "n_instructions"]):
        kept.update(classes[row["group"]] for row in rows if row["n_instructions"] >= shortest)
        short += sum(row["n_instructions"] < shortest for row in rows)
    if len(kept) < 2:
        dropped = f" ({short} views under {shortest} instructions left out)" if short else ""
        raise TrainingError(
            f"{corpus} has {len(kept)} different functions{dropped}; "
            "pretraining contrasts functions and needs at least two: preprocess more sources"
        )
