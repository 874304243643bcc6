"""The progress bar of every verb that takes long: seen on a terminal, silent in a file."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

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


@contextmanager
def counting(what: str, *columns: ProgressColumn) -> Iterator[Callable[[int, int], None]]:
    """Shows a bar on standard error, and gives what to call with the numbers done and of all.

    Args:
        what: is done.
        columns: as in `progress_bar`.
    """
    with progress_bar(Console(stderr=True), *columns) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
