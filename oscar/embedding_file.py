"""Embeddings as a Parquet file that says which model made it."""

import hashlib
import json
import os
from dataclasses import asdict, dataclass, fields
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ir_pipeline.atomic import replacing
from oscar.embedding import Embeddings, FunctionName
from oscar.folder import CONFIG, WEIGHTS
from static_analysis import OscarError

KEY = b"oscar"
"""Entry of the Parquet schema's metadata that holds the origin as JSON."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Which model made a set of embeddings: its folder then, and what tells it from others."""

    model: str
    fingerprint: str
    version: str

    @classmethod
    def of(cls, folder: Path) -> "Origin":
        """The origin of what the model in `folder` gives."""
        return cls(
            os.fsencode(folder.resolve()).decode(errors="backslashreplace"),
            fingerprint(folder),
            version("oscar-ir"),
        )


def fingerprint(folder: Path) -> str:
    """What tells one model from another: the hash of its config and weights."""
    digest = hashlib.sha256()
    for name in (CONFIG, WEIGHTS):
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()


def write_embeddings(path: Path, embeddings: Embeddings, origin: Origin) -> None:
    """Write `path` whole or not at all; columns are FunctionName's fields and `vector`."""
    columns = {
        field.name: [getattr(function, field.name) for function in embeddings.functions]
        for field in fields(FunctionName)
    }
    table = pa.table(columns, schema=_schema(embeddings.vectors.shape[1]).remove(len(columns)))
    flat = pa.array(embeddings.vectors.reshape(-1), pa.float32())
    vectors = pa.FixedSizeListArray.from_arrays(flat, embeddings.vectors.shape[1])
    table = table.append_column("vector", vectors)
    table = table.replace_schema_metadata({KEY: json.dumps(asdict(origin)).encode()})
    # Opened here, as pyarrow knows no file names that are not UTF-8.
    with replacing(path) as unfinished, unfinished.open("wb") as file:
        pq.write_table(table, file, compression="zstd")


def check_replaceable(path: Path) -> None:
    """Accept a path to write embeddings to: a new file, or one that holds embeddings.

    Raises:
        OscarError: it is a folder, another kind of file, or lies in no folder that can be made.
    """
    if path.is_dir():
        raise OscarError(f"{path} is a folder: name the Parquet file to write")
    if path.exists():
        try:
            read_embeddings(path)
        except OscarError:
            raise OscarError(f"{path} exists and holds no embeddings: name another file") from None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OscarError(f"{path} cannot be written: {error.strerror}") from None


def read_embeddings(path: Path) -> tuple[Embeddings, Origin]:
    """Read what `write_embeddings` wrote.

    Raises:
        OscarError: no such file, or a file that holds no embeddings of ours.
    """
    if not path.is_file():
        raise OscarError(f"there is no file {str(path)!r}: write one with `oscar embed`")
    try:
        with path.open("rb") as file:
            table = pq.read_table(file)
        origin = Origin(**json.loads((table.schema.metadata or {})[KEY]))
        names = table.drop_columns(["vector"]).to_pylist()
        column = table["vector"].combine_chunks()
    except (pa.ArrowInvalid, KeyError, TypeError, ValueError) as error:
        raise OscarError(f"{path} holds no embeddings written by `oscar embed`") from error
    vectors = column.flatten().to_numpy().reshape(len(names), column.type.list_size)
    return Embeddings([FunctionName(**name) for name in names], np.asarray(vectors)), origin


def _schema(dim: int) -> pa.Schema:
    columns = [
        (field.name, pa.int32() if field.type is int else pa.string())
        for field in fields(FunctionName)
    ]
    return pa.schema([*columns, ("vector", pa.list_(pa.float32(), dim))])
