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
        if folder.exists() and not (folder / "index.json").is_file():
            raise OscarError(f"{folder} exists and is not an index: choose another --out")
        facts = {
            "format_version": FORMAT_VERSION,
            "approximate": self.graph is not None,
            "functions": len(self.embeddings.functions),
            "origin": asdict(self.origin),
        }
        with replacing(folder) as unfinished:
            unfinished.mkdir()
            write_embeddings(unfinished / "embeddings.parquet", self.embeddings, self.origin)
            if self.graph is not None:
                _faiss().write_index(self.graph, str(unfinished / "graph.faiss"))
            text = json.dumps(facts, indent=2) + "\n"
            (unfinished / "index.json").write_text(text, encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "Index":
        """Open an index folder.

        Raises:
            OscarError: not an index, or one of another format version.
        """
        try:
            facts = json.loads((folder / "index.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise OscarError(f"{folder} is not an index: make one with `oscar index`") from error
        if facts.get("format_version") != FORMAT_VERSION:
            raise OscarError(
                f"{folder} has another format version: make it again with `oscar index`"
            )
        embeddings, origin = read_embeddings(folder / "embeddings.parquet")
        graph = _faiss().read_index(str(folder / "graph.faiss")) if facts["approximate"] else None
        return cls(embeddings, origin, graph)


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
