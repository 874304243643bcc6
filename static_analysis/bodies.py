"""Reads function bodies: lines → labels and instructions → blocks."""

import re
from collections.abc import Iterator

from static_analysis.errors import IRError
from static_analysis.form import HOLE
from static_analysis.forms import FormTable
from static_analysis.grammar import UnknownOpcodeError
from static_analysis.ir import Block, Function
from static_analysis.keywords import TERMINATORS
from static_analysis.lexer import without_comment

_LABEL = re.compile(r'(?:"[^"]*"|[-\w$.]+):')
_CONTINUES = re.compile(r"to label |cleanup(?=[ ,]|$)|catch |filter |unwind ")
_NOT_CODE = ("#dbg_", "uselistorder")
# What continues an instruction or is no code starts with one of these; few instructions do.
_SPECIAL_STARTS = frozenset("tcfu#")


def read_body(function: Function, lines: list[str], first: int, forms: FormTable) -> None:
    """Fill a function with the blocks and instructions of its body.

    Args:
        function: the function, still without them.
        lines: the lines between the braces.
        first: number of the first of them in the whole text, for messages.
        forms: the forms of the module.

    Raises:
        IRError: a line is no instruction, or a block does not end as it must.
    """
    instructions, blocks = function.instructions, function.blocks
    unnamed = sum(name[1:].isdecimal() for name in function.parameters)
    blocks.append(Block(f"%{unnamed}", 0, 0))
    text = ""
    try:
        for text in _statements(lines):
            if text[-1] != ":" or not _LABEL.fullmatch(text):
                instructions.append(forms.read(text))
            elif not instructions:
                blocks[0].label = "%" + text[:-1]
            else:
                _close_block(function)
                blocks.append(Block("%" + text[:-1], len(instructions), 0))
    except UnknownOpcodeError as error:
        opcode = error.args[0][:40]
        raise _refusal(f"{opcode!r} is no opcode of LLVM 22", text, lines, first) from None
    except (IndexError, ValueError) as error:
        what = f"{text[:60]!r} is no instruction as LLVM 22 prints it"
        raise _refusal(what, text, lines, first) from error
    _close_block(function)
    if forms.has_block_addresses:
        _hide_blocks_elsewhere(function)


def _hide_blocks_elsewhere(function: Function) -> None:
    """Take away the labels of other functions: here they may be names of something else."""
    for instruction in function.instructions:
        addresses = instruction.form.block_addresses
        foreign = {hole for hole, owner in addresses if owner != function.name}
        if foreign:
            instruction.locals = tuple(
                [HOLE if at in foreign else local for at, local in enumerate(instruction.locals)]
            )


def _refusal(what: str, text: str, lines: list[str], first: int) -> IRError:
    """Return the error for an instruction; the line it starts on is the first that fits."""
    starts = (line.strip() for line in lines)
    number = next((at for at, line in enumerate(starts) if line and text.startswith(line)), 0)
    return IRError(
        f"line {first + number}: {what}; the text is damaged, or comes from another version: "
        "print it again with LLVM 22"
    )


def _close_block(function: Function) -> None:
    """End the block being read, checking that it ends as a block must."""
    block = function.blocks[-1]
    block.stop = len(function.instructions)
    if block.stop == block.start or function.instructions[-1].opcode not in TERMINATORS:
        raise IRError(
            f"block {block.label} of {function.name} ends without a terminator: "
            "the text is damaged or incomplete"
        )


def _statements(lines: list[str]) -> Iterator[str]:
    """Yield the labels and instructions of a body, each on one line, comments gone."""
    text = ""
    rest = iter(lines)
    for raw in rest:
        line = raw.strip()
        if ";" in line:
            line = without_comment(line)
        if not line:
            continue
        if line[0] in _SPECIAL_STARTS:
            if line.startswith(_NOT_CODE):
                continue
            if _CONTINUES.match(line):
                text += " " + line
                continue
        if text:
            yield text
        text = line if line[-1] != "[" else " ".join([line, *_cases(rest)])
    if text:
        yield text


def _cases(rest: Iterator[str]) -> Iterator[str]:
    """Yield the lines of a ``switch`` up to the closing bracket."""
    for raw in rest:
        line = without_comment(raw.strip())
        yield line
        if line.startswith("]"):
            return
