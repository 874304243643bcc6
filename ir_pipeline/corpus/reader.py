"""Opens a finished corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ir_pipeline.corpus.layout import FORMAT_VERSION, MANIFEST, PLAN, STAGING
from ir_pipeline.corpus.manifest import read_json
from ir_pipeline.corpus.shards import read_batches
from ir_pipeline.errors import one_line
from ir_pipeline.rows.row import FunctionView
from ir_pipeline.views.view_names import LEVELS
from static_analysis import ENVIRONMENT_VERSION, OscarError

if TYPE_CHECKING:
    import pyarrow as pa

_AGAIN = "make the corpus again with 'oscar preprocess --force'"


@dataclass(frozen=True)
class Corpus:
    """A finished corpus on disk.

    Attributes:
        path: its folder.
        manifest: the parsed `manifest.json`.
        shards: its Parquet files, in order.
    """

    path: Path
    manifest: dict[str, Any]
    shards: list[Path]

    @property
    def views(self) -> list[str]:
        """The views it was made with, in order."""
        return list(self.manifest["options"]["views"])

    def rows(self, view: str) -> Iterator[FunctionView]:
        """Yields the rows of the first view in the corpus's order, a batch in memory at a time.

        Raises:
            OscarError: `view` is another one. Later views leave out every function that an
                earlier one has with the same tokens, so that they are never complete.
        """
        if view != self.views[0]:
            raise OscarError(
                f"{self.path}: this corpus keeps no complete {view}, only {self.views[0]}: "
                "embed its sources instead"
            )
        return self._rows([view])

    def optimised_rows(self) -> Iterator[FunctionView]:
        """Yields the kept rows of O1 to O3: those that differ from O0 and from each other."""
        return self._rows([view for view in self.views if view in LEVELS])

    def all_rows(self) -> Iterator[FunctionView]:
        """Yields every row in the corpus's order: the kept views of a function together."""
        return self._rows(self.views)

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """All rows in the corpus's order, some hundred at a time.

        Args:
            columns: names of those to read; default: all.

        Raises:
            OscarError: a shard is damaged.
        """
        return shard_batches(self.shards, columns)

    def _rows(self, views: Sequence[str]) -> Iterator[FunctionView]:
        import pyarrow as pa
        import pyarrow.compute as pc

        wanted = pa.array(views, pa.string())
        for batch in self.batches():
            kept = batch.filter(pc.is_in(batch.column("view"), wanted))
            yield from (FunctionView(**row) for row in kept.to_pylist())


def shard_batches(
    shards: Iterable[Path], columns: Sequence[str] | None = None
) -> Iterator[pa.RecordBatch]:
    """All rows of some shards of a corpus, as `Corpus.batches` gives those of all.

    Raises:
        OscarError: a shard is damaged.
    """
    import pyarrow as pa

    for shard in shards:
        try:
            yield from read_batches([shard], columns)
        except (OSError, pa.ArrowException) as error:
            raise OscarError(one_line(f"{shard}: cannot be read: {error}; {_AGAIN}")) from None


def is_corpus(path: Path) -> bool:
    """Whether `path` is the folder of a corpus, finished or not, of this or another version."""
    path = Path(path)
    return any(read_json(file) for file in (path / MANIFEST, path / STAGING / PLAN))


def open_corpus(path: Path) -> Corpus:
    """Checks that `path` is a corpus of this format and that all its shards are there.

    Raises:
        OscarError: it is missing, unfinished, not a corpus, incomplete, or of another format or
            environment encoding.
    """
    corpus = read_corpus(path)
    missing = next((file for file in corpus.shards if not file.is_file()), None)
    if missing is not None:
        raise OscarError(f"{missing}: a shard of the corpus is missing; {_AGAIN}")
    return corpus


def read_corpus(path: Path) -> Corpus:
    """A corpus as its manifest has it, whether or not its shards are there.

    Raises:
        OscarError: it is missing, unfinished, not a corpus, or of another format or environment
            encoding.
    """
    path = Path(path)
    if not path.is_dir():
        raise OscarError(f"{path}: no such corpus folder; make one with 'oscar preprocess'")
    manifest = read_json(path / MANIFEST)
    if manifest is None:
        raise OscarError(_not_a_corpus(path))
    _check_version(path, manifest, "format_version", FORMAT_VERSION)
    _check_version(path, manifest, "environment_version", ENVIRONMENT_VERSION)
    try:
        files = [path / str(shard["file"]) for shard in manifest["shards"]]
        views = manifest["options"]["views"]
    except (KeyError, TypeError):
        views = None
    if not views:
        raise OscarError(_not_a_corpus(path))
    return Corpus(path, manifest, files)


def _check_version(path: Path, manifest: dict[str, Any], name: str, ours: object) -> None:
    if manifest.get(name) != ours:
        raise OscarError(
            f"{path}: corpus of {name.replace('_', ' ')} {manifest.get(name)}, this version of "
            f"OSCAR reads {ours}; make it again with 'oscar preprocess --force'"
        )


def _not_a_corpus(path: Path) -> str:
    if (path / STAGING).is_dir():
        return f"{path}: unfinished corpus; run the same 'oscar preprocess' again to finish it"
    return f"{path}: not a corpus: no readable {MANIFEST} in it"
