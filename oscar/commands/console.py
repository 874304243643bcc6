"""How the verbs print: names as they are, tables whole in a file, nothing taken for markup."""

import sys

from rich.console import Console
from rich.text import Text

PIPE_WIDTH = 200
"""Columns of a table when standard output is not a terminal and has no width of its own."""


def output() -> Console:
    """The console for answers on standard output."""
    if sys.stdout.isatty():
        return Console(markup=False, highlight=False)
    return Console(markup=False, highlight=False, width=PIPE_WIDTH)


def plain(text: str) -> Text:
    """Text of foreign origin, with control characters spelled out and nothing else changed.

    A name in a binary may hold the escape codes of a terminal.
    """
    return Text("".join(c if c.isprintable() else ascii(c)[1:-1] for c in text))
