"""A folder of unit-length vectors in which the nearest functions can be found."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ir_pipeline.atomic import replacing
from oscar.embedding import Embeddings, FunctionName, unit_length
from oscar.embedding_file import Origin, read_embeddings, write_embeddings
from static_analysis import OscarError

FORMAT_VERSION = 1
FACTS, VECTORS, GRAPH = "index.json", "embeddings.parquet", "graph.faiss"
HNSW_LINKS = 32
"""Neighbours each vector is linked to in the approximate index (faiss' own default)."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A function found, with its cosine similarity to the query."""

    score: float
    function: FunctionName


class Index:
    """Cosine neighbours among embedded functions.

    Args:
        embeddings: Unit-length vectors and their functions.
        origin: The model that made them.
        graph: A faiss index over the vectors for approximate search; exact without it.
    """

    def __init__(self, embeddings: Embeddings, origin: Origin, graph: Any = None):
        self.embeddings = embeddings
        self.origin = origin
        self.graph = graph

    def nearest(self, queries: np.ndarray, k: int) -> list[list[Neighbour]]:
        """The `k` nearest functions of each query (n, dim), best first, ties by position."""
        k = min(k, len(self.embeddings.functions))
        queries = unit_length(np.asarray(queries, np.float32))
        scores, rows = (
            self._exact(queries, k) if self.graph is None else self.graph.search(queries, k)
        )
        functions = self.embeddings.functions
        return [
            [
                Neighbour(float(score), functions[row])
                for score, row in zip(*pair, strict=True)
                if row >= 0
            ]
            for pair in zip(scores, rows, strict=True)
        ]

    def _exact(self, queries: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        scores = queries @ self.embeddings.vectors.T
        rows = np.argsort(-scores, axis=1, kind="stable")[:, :k]
        return np.take_along_axis(scores, rows, axis=1), rows

    @classmethod
    def build(cls, embeddings: Embeddings, origin: Origin, approximate: bool = False) -> "Index":
        """Index embeddings; `approximate` links them into an HNSW graph (extra `faiss`)."""
        vectors = unit_length(embeddings.vectors)
        graph = _build_graph(vectors) if approximate else None
        return cls(Embeddings(embeddings.functions, vectors), origin, graph)

    def save(self, folder: Path) -> None:
        """Write the index as a folder, whole or not at all.

        Raises:
            OscarError: `folder` exists and is not an index, so is not replaced.
        """
        if folder.exists() and not _is_only_an_index(folder):
            raise OscarError(f"{folder} exists and is not just an index: choose another --out")
        facts = {
            "format_version": FORMAT_VERSION,
            "approximate": self.graph is not None,
            "functions": len(self.embeddings.functions),
            "origin": asdict(self.origin),
        }
        with replacing(folder) as unfinished:
            unfinished.mkdir()
            write_embeddings(unfinished / VECTORS, self.embeddings, self.origin)
            if self.graph is not None:
                _faiss().write_index(self.graph, str(unfinished / GRAPH))
            text = json.dumps(facts, indent=2) + "\n"
            (unfinished / FACTS).write_text(text, encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "Index":
        """Open an index folder.

        Raises:
            OscarError: not an index, or one of another format version.
        """
        facts = _read_facts(folder)
        if facts is None:
            raise OscarError(f"{folder} is not an index: make one with `oscar index`")
        if facts["format_version"] != FORMAT_VERSION:
            raise OscarError(
                f"{folder} has another format version: make it again with `oscar index`"
            )
        embeddings, origin = read_embeddings(folder / VECTORS)
        graph = _faiss().read_index(str(folder / GRAPH)) if (folder / GRAPH).exists() else None
        return cls(embeddings, origin, graph)


def _read_facts(folder: Path) -> dict[str, Any] | None:
    """What the index says of itself; None where it is no index."""
    try:
        facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return facts if isinstance(facts, dict) and "format_version" in facts else None


def _is_only_an_index(folder: Path) -> bool:
    """Tell whether nothing but an index would be lost with the folder."""
    if not folder.is_dir() or _read_facts(folder) is None:
        return False
    return {path.name for path in folder.iterdir()} <= {FACTS, VECTORS, GRAPH}


def _build_graph(vectors: np.ndarray) -> Any:
    faiss = _faiss()
    graph = faiss.IndexHNSWFlat(vectors.shape[1], HNSW_LINKS, faiss.METRIC_INNER_PRODUCT)
    graph.add(vectors)
    return graph


def _faiss() -> Any:
    try:
        import faiss
    except ImportError as error:
        raise OscarError("approximate search needs faiss: pip install 'oscar-ir[faiss]'") from error
    return faiss
