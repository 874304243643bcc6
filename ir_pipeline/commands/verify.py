"""`oscar corpus verify`: is a corpus whole and sound?"""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from ir_pipeline.corpus.reader import read_corpus
from ir_pipeline.corpus.verify import verify as faults_of
from ir_pipeline.progress import counting
from static_analysis.errors import OscarError

_MOST_LINES = 200


def verify(corpus: Path) -> None:
    """Check that a corpus is what its manifest says, and every row what a row has to be.

    Example: `oscar corpus verify corpus`

    Looks at the hash of each file, the columns, the number of entries and the positions of each
    row, the hash of its tokens, that no function or view is there twice, and all counts. Prints a
    line for each fault; the exit status is 0 only if there is none.

    Args:
        corpus: folder of the corpus.
    """
    found = 0
    console = Console(soft_wrap=True, highlight=False, markup=False)
    with counting("checking shards") as show:
        for fault in faults_of(corpus, show):
            found += 1
            if found <= _MOST_LINES:
                console.print(fault)
    if found:
        more = f", {found - _MOST_LINES} of them not shown" if found > _MOST_LINES else ""
        raise OscarError(
            f"{corpus}: {found} fault{'s' * (found > 1)}{more}; "
            "make the corpus again with 'oscar preprocess --force'"
        )
    counts = read_corpus(corpus).manifest["counts"]
    console.print(
        f"{corpus}: sound: {counts['rows']:,} rows of {counts['functions']:,} functions, "
        f"{counts['instructions']:,} instructions"
    )
