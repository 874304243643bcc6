"""`oscar index`: make embeddings searchable."""

from pathlib import Path

from oscar.commands.console import output
from oscar.embedding_file import read_embeddings
from oscar.index import Index


def index(embeddings: Path, /, *, out: Path, approximate: bool = False) -> None:
    """Turn an embeddings file into a folder that `oscar search` reads.

    Example: `oscar index zlib.parquet --out zlib.index`

    Args:
        embeddings: A file written by `oscar embed`.
        out: The folder to write; an index that is there already is replaced.
        approximate: Link the vectors into a graph: fast among millions of functions, may miss
            a neighbour now and then; needs the extra `faiss`.
    """
    Index.build(*read_embeddings(embeddings), approximate=approximate).save(out)
    found = Index.load(out)
    kind = "approximate" if approximate else "exact"
    output().print(f"{len(found.embeddings.functions)} functions indexed ({kind}) in {out}")
