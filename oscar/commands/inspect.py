"""`oscar inspect`: check the encoding by eye."""

from collections.abc import Iterator
from pathlib import Path

from rich.table import Table
from rich.text import Text

from ir_pipeline import lower
from ir_pipeline.views.view_names import LEVELS
from oscar.commands.console import output, plain
from oscar.commands.flow_picture import flow_picture
from oscar.commands.listing import Line, Listing, listing_of_function, listing_of_row
from oscar.query import Query
from static_analysis import ENVIRONMENT_VERSION, OscarError, analyse
from static_analysis.analysis import ENVIRONMENTS

SIDE_BY_SIDE = 110
"""Columns from which on instruction and environment stand side by side."""


def inspect(
    code: str,
    /,
    *,
    view: str = "O0",
    environment: str = ENVIRONMENT_VERSION,
    tokens: bool = False,
    dot: bool = False,
    clang: Path | None = None,
) -> None:
    """Show each instruction of a function with its environment and positions.

    Blocks are headed by their number, the blocks control comes from, and their context: depth in
    loops, and the decisions because of which they run. `v0`, `v1`, … are values, arguments
    first; `m0`, … versions of memory; after `from` stands what a load may read. Positions are
    shown where control does not just go on. docs/environment.md explains it with an example.

    Examples: `oscar inspect examples/gcd/euclid_loop.c:gcd --view O2`,
    `oscar inspect examples/gcd/euclid_loop.c:gcd --dot | dot -Tsvg > gcd.svg`

    Args:
        code: FILE or FILE:FUNCTION; a C/C++ source, `.ll` or `.bc`.
        view: Which IR version to show: O0, O1, O2, O3 or random-N.
        environment: The encoding: env-3, or env-1, the original OSCAR's (of O0 to O3 only).
        tokens: Show the model's tokens in place of the instruction's text.
        dot: Print the control-flow graph for Graphviz instead.
        clang: Another compiler than the default.
    """
    for listing in _listings(Query.parse(code), view, environment, clang):
        if dot:
            print(flow_picture(listing))
        else:
            output().print(listing_table(listing, tokens, output().width))


def _listings(query: Query, view: str, environment: str, clang: Path | None) -> Iterator[Listing]:
    """Return the functions asked for, in the encoding asked for."""
    _check_encoding(environment, view)
    rows = query.read(view, clang)
    if environment == ENVIRONMENT_VERSION:
        yield from map(listing_of_row, rows)
        return
    wanted = {row.function: row.unit for row in rows}
    for function in analyse(lower(query.path, view, clang=clang), environment):
        if function.name in wanted:
            yield listing_of_function(function, wanted[function.name], f"{view} · {environment}")


def _check_encoding(environment: str, view: str) -> None:
    """Refuse an encoding that there is not, or not of a view, before anything is compiled."""
    if environment not in ENVIRONMENTS:
        names = " or ".join(ENVIRONMENTS)
        raise OscarError(f"no environment encoding {environment!r}: choose {names}")
    if environment != ENVIRONMENT_VERSION and view not in ("O0", *LEVELS):
        raise OscarError(f"{environment} is shown of views O0 to O3, not of {view}")


def listing_table(listing: Listing, tokens: bool, width: int) -> Table:
    """A row per instruction; below `SIDE_BY_SIDE` columns its environment comes underneath."""
    wide = width >= SIDE_BY_SIDE
    table = Table(title=plain(listing.title), title_justify="left", pad_edge=False)
    table.add_column("own", justify="right", style="cyan")
    if wide:
        table.add_column("true", justify="right", style="green")
        table.add_column("false", justify="right", style="red")
        table.add_column("tokens" if tokens else "instruction", ratio=1, overflow="fold")
        table.add_column("environment", ratio=1, overflow="fold")
    else:
        name = "tokens" if tokens else "instruction"
        table.add_column(f"{name}, environment, positions", overflow="fold")
    for number, block in enumerate(listing.blocks):
        if number:
            table.add_section()
        ways_in = " ".join(f"l{way}" for way in listing.predecessors(number))
        heading = Text(f"l{number}" + f" ← {ways_in}" * bool(ways_in), style="bold")
        context = Text(block.context, style="bold magenta")
        table.add_row("", *(["", "", heading, context] if wide else [heading + "  " + context]))
        for at, line in enumerate(block.lines, start=block.start):
            table.add_row(str(at), *(_cells(line, tokens) if wide else [_stacked(line, tokens)]))
    return table


def _cells(line: Line, tokens: bool) -> list[str | Text]:
    shown = plain(line.tokens if tokens else line.text)
    return [line.true, line.false, shown, Text(line.effect, style="yellow")]


def _stacked(line: Line, tokens: bool) -> Text:
    text = plain(line.tokens if tokens else line.text)
    if line.effect:
        text.append(f"\n  {line.effect}", style="yellow")
    if line.true:
        ways = line.true if line.true == line.false else f"{line.true} / {line.false}"
        text.append(f"\n  → {ways}", style="green")
    return text
