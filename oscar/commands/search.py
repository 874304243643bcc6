"""`oscar search`: the functions nearest to a piece of code."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.table import Table

from ir_pipeline import FunctionView
from ir_pipeline.atomic import write_atomically
from ir_pipeline.rows.symbol_names import source_name
from oscar.commands.console import output, plain
from oscar.embedding import embed
from oscar.embedding_file import fingerprint
from oscar.index import Index, Neighbour
from oscar.model import OscarModel
from oscar.query import Query
from static_analysis import OscarError


def search(
    index: Path,
    /,
    *,
    code: str,
    k: Annotated[int, Parameter(name=["-k", "--k"])] = 10,
    model: Path | None = None,
    view: str = "O0",
    clang: Path | None = None,
    json_file: Annotated[Path | None, Parameter(name="--json")] = None,
) -> None:
    """Print the indexed functions nearest to each function of a file, by cosine similarity.

    Example: `oscar search zlib.index --code adler32.c:adler32_z -k 5`

    Args:
        index: A folder written by `oscar index`.
        code: FILE or FILE:FUNCTION to look for; a C/C++ source, `.ll` or `.bc`.
        k: How many neighbours to show.
        model: The model's folder, where it has moved since the index was made.
        view: The IR version of the query: the one the indexed functions were embedded at.
        clang: Another compiler than the default.
        json_file: Write the same answer to this file as JSON.
    """
    if k < 1:
        raise OscarError(f"-k {k}: ask for at least one neighbour")
    found = Index.load(index)
    encoder = load_origin(found, model)
    queries = Query.parse(code).read(view, clang)
    answers = found.nearest(embed(encoder, queries).vectors, k)
    for title, neighbours in zip(_titles(queries), answers, strict=True):
        output().print(neighbour_table(title, neighbours))
    if json_file:
        write_atomically(json_file, _as_json(queries, answers))


def _titles(queries: list[FunctionView]) -> list[str]:
    """One title a query; overloads, which share a name, are told apart by their symbols."""
    names = [source_name(query.function) for query in queries]
    return [
        f"nearest to {name} of {query.unit}"
        + (f" ({query.function})" if names.count(name) > 1 else "")
        for name, query in zip(names, queries, strict=True)
    ]


def load_origin(index: Index, model: Path | None = None) -> OscarModel:
    """The model an index was made with.

    Raises:
        OscarError: the model is gone, or is not the one that made the index.
    """
    folder = model or Path(index.origin.model)
    if not folder.is_dir():
        raise OscarError(f"the index was made by a model in {folder}, which is gone: give --model")
    loaded = OscarModel.from_pretrained(folder)
    if fingerprint(folder) != index.origin.fingerprint:
        raise OscarError(f"{folder} is not the model that made the index: embed and index again")
    return loaded


def neighbour_table(title: str, neighbours: list[Neighbour]) -> Table:
    """Rank, score, function and file of each neighbour."""
    table = Table(title=plain(title), title_justify="left")
    table.add_column("#", justify="right")
    table.add_column("score", justify="right")
    table.add_column("function", overflow="fold")
    table.add_column("file", overflow="fold")
    for rank, neighbour in enumerate(neighbours, 1):
        function = neighbour.function
        name = plain(source_name(function.function))
        table.add_row(str(rank), f"{neighbour.score:.4f}", name, plain(function.unit))
    return table


def _as_json(queries: list[FunctionView], answers: list[list[Neighbour]]) -> bytes:
    found = [
        {"query": query.function, "neighbours": [asdict(neighbour) for neighbour in neighbours]}
        for query, neighbours in zip(queries, answers, strict=True)
    ]
    return json.dumps(found, indent=2).encode() + b"\n"
