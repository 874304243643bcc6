"""The progress bar of every verb that takes long: seen on a terminal, silent in a file."""

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn


def progress_bar(console: Console, *columns: ProgressColumn, stays: bool = False) -> Progress:
    """A bar with what is done, how much of how much, and further columns.

    Args:
        console: where it is shown, if that is a terminal.
        columns: what comes after the numbers, such as the time left.
        stays: whether it is still to be seen when all is done.
    """
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        *columns,
        console=console,
        transient=not stays,
        disable=not console.is_terminal,
    )
