"""One function as `oscar inspect` shows it: blocks of instructions with what they do."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ir_pipeline import FunctionView
from ir_pipeline.rows.symbol_names import source_name
from static_analysis import AnalysedFunction, opcode
from static_analysis.flow.positions import RETURN, UNREACHABLE, UNWIND
from static_analysis.reading.keywords import TERMINATORS

LEAVING = {RETURN: "return", UNREACHABLE: "unreachable", UNWIND: "unwind"}
_ENDS_OF_CONTEXT = (":", ";")  # of env-3 and of env-1


@dataclass(frozen=True)
class Line:
    """An instruction.

    Attributes:
        text: as IR.
        tokens: as the model reads it.
        effect: its environment entry after the context.
        true: where control goes next, or if the condition holds; empty for the next line.
        false: where control goes if the condition does not hold; empty for the next line.
    """

    text: str
    tokens: str
    effect: str
    true: str
    false: str


@dataclass(frozen=True)
class Block:
    """A basic block.

    Attributes:
        context: what its environment entries begin with.
        start: index of its first instruction.
        lines: its instructions.
        targets: numbers of the blocks its terminator names, as printed.
    """

    context: str
    start: int
    lines: list[Line]
    targets: list[int]


@dataclass(frozen=True)
class Listing:
    """A function: a heading and its blocks in order."""

    title: str
    blocks: list[Block]

    def predecessors(self, number: int) -> list[int]:
        """Return the blocks from which control may get to a block."""
        return [at for at, block in enumerate(self.blocks) if number in block.targets]


def listing_of_row(row: FunctionView) -> Listing:
    """Arrange a function as the pipeline gives it."""
    positions = zip(row.true_positions, row.false_positions, strict=True)
    blocks = _blocks(row.instructions, row.tokens, row.environment, positions)
    return Listing(_title(row.function, row.unit, row.view, row.n_instructions, blocks), blocks)


def listing_of_function(function: AnalysedFunction, unit: str, view: str) -> Listing:
    """Arrange a function as the analysis gives it."""
    positions = (position[1:] for position in function.positions)
    blocks = _blocks(function.instructions, function.tokens, function.environment, positions)
    title = _title(function.name, unit, view, len(function.instructions), blocks)
    return Listing(title, blocks)


def _title(symbol: str, unit: str, view: str, size: int, blocks: Sequence[Block]) -> str:
    counts = f"{_counted(size, 'instruction')} · {_counted(len(blocks), 'block')}"
    return f"{source_name(symbol)} · {unit} · {view} · {counts}"


def _blocks(
    texts: list[str],
    tokens: list[list[str]],
    environment: list[list[str]],
    positions: Iterable[tuple[int, int]],
) -> list[Block]:
    """Cut a function after its terminators."""
    blocks: list[Block] = []
    lines: list[Line] = []
    for at, (text, words, entry, targets) in enumerate(
        zip(texts, tokens, environment, positions, strict=True)
    ):
        context, effect = _divided(entry)
        lines.append(Line(text, " ".join(words), effect, *_sides(at, targets)))
        if opcode(words) in TERMINATORS:
            labels = [int(word[1:]) for before, word in pairwise(words) if before == "label"]
            blocks.append(Block(context, at + 1 - len(lines), lines, labels))
            lines = []
    return blocks


def _divided(entry: list[str]) -> tuple[str, str]:
    """Split an entry into what its whole block shares and what its instruction does."""
    end = next((at for at, token in enumerate(entry) if token in _ENDS_OF_CONTEXT), len(entry))
    return " ".join(entry[:end]), " ".join(entry[end + 1 :])


def _sides(at: int, targets: tuple[int, int]) -> tuple[str, str]:
    if targets == (at + 1, at + 1):
        return "", ""
    true, false = (LEAVING.get(target, str(target)) for target in targets)
    return true, false


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
