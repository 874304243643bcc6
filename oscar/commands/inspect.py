"""`oscar inspect`: check the encoding by eye."""

from pathlib import Path

from rich.table import Table

from ir_pipeline import FunctionView
from ir_pipeline.symbol_names import source_name
from oscar.commands.console import output, plain
from oscar.query import Query
from static_analysis.positions import RETURN, UNREACHABLE, UNWIND

LEAVING = {RETURN: "return", UNREACHABLE: "unreachable", UNWIND: "unwind"}


def inspect(
    code: str, *, view: str = "O0", tokens: bool = False, clang: Path | None = None
) -> None:
    """Show each instruction of a function with its environment and positions.

    The environment calls values v0, v1, … (arguments first): the second column says which
    instruction gives which. Positions are shown where control does not just go on.

    Example: `oscar inspect examples/gcd/euclid_loop.c:gcd --view O2`

    Args:
        code: FILE or FILE:FUNCTION; a C/C++ source, `.ll` or `.bc`.
        view: Which IR version to show: O0, O1, O2, O3 or random-N.
        tokens: Show the model's tokens in place of the instruction's text.
        clang: Another compiler than the default.
    """
    for row in Query.parse(code).read(view, clang):
        output().print(function_table(row, tokens))


def function_table(row: FunctionView, tokens: bool = False) -> Table:
    """One line per instruction: its position, where control goes next, text and environment."""
    title = (
        f"{source_name(row.function)} · {row.unit} · {row.view} · {row.n_instructions} instructions"
    )
    table = Table(title=plain(title), title_justify="left", expand=False, pad_edge=False)
    table.add_column("own", justify="right", style="cyan")
    table.add_column("value", style="yellow")
    table.add_column("true", justify="right", style="green")
    table.add_column("false", justify="right", style="red")
    table.add_column("tokens" if tokens else "instruction", ratio=1, overflow="fold")
    table.add_column("environment", ratio=1, overflow="fold", style="yellow")
    for index, environment in enumerate(row.environment):
        text = " ".join(row.tokens[index]) if tokens else row.instructions[index]
        targets = _targets(row, index)
        entry = " ".join(environment)
        table.add_row(str(index), _value(row.tokens[index]), *targets, plain(text), plain(entry))
    return table


def _value(tokens: list[str]) -> str:
    """The name the environment has for an instruction's result, if it has one."""
    return tokens[0] if tokens[1:2] == ["="] else ""


def _targets(row: FunctionView, index: int) -> list[str]:
    """True and false position, blank where control simply goes on to the next line."""
    targets = (row.true_positions[index], row.false_positions[index])
    if targets == (index + 1, index + 1):
        return ["", ""]
    return [LEAVING.get(target, str(target)) for target in targets]
