"""Reads function bodies: lines → labels and instructions → blocks."""

import re
from dataclasses import replace

from static_analysis.errors import IRError
from static_analysis.reading.form import HOLE
from static_analysis.reading.forms import FormTable
from static_analysis.reading.grammar import UnknownOpcodeError
from static_analysis.reading.ir import Block, Function, Instruction
from static_analysis.reading.keywords import TERMINATORS
from static_analysis.reading.lexer import without_comment

_LABEL = re.compile(r'(?:"[^"]*"|[-\w$.]+):')
# Spelt out up to where they differ from other text, so that the search skips to these places.
_CLAUSES = re.compile(r"\n          \S.*(?:\n          \S.*)*")
_CASES = re.compile(r"\[\n(?:    \S.*\n)*  \].*")
_NOT_CODE = ("#dbg_", "uselistorder")


def join_lines(text: str) -> str:
    """Put what LLVM spreads over lines on one: cases of ``switch``, clauses, destinations.

    As many lines are left empty as were joined, so that line numbers stay.
    """
    return _CASES.sub(_joined, _CLAUSES.sub(_joined, text))


def _joined(spread: re.Match[str]) -> str:
    lines = spread[0].split("\n")
    return " ".join([line.strip() for line in lines]) + "\n" * (len(lines) - 1)


class BodyReader:
    """Reads the bodies of one module; a line met before, be it elsewhere, is not read again."""

    def __init__(self, forms: FormTable) -> None:
        self._forms = forms
        self._known: dict[str, Instruction] = {}

    def read(self, function: Function, lines: list[str], first: int) -> None:
        """Fill a function with the blocks and instructions of its body.

        Args:
            function: the function, still without them.
            lines: the lines between the braces, one instruction each.
            first: number of the first of them in the whole text, for messages.

        Raises:
            IRError: a line is no instruction, or a block does not end as it must.
        """
        unnamed = sum(name[1:].isdecimal() for name in function.parameters)
        function.blocks.append(Block(f"%{unnamed}", 0, 0))
        append = function.instructions.append
        known = self._known
        for number, line in enumerate(lines, start=first):
            instruction = known.get(line)
            if instruction is not None:
                append(instruction)
                continue
            text = line.strip()
            if ";" in text:
                text = without_comment(text)
            if not text or text.startswith(_NOT_CODE):
                continue
            if text[-1] == ":" and _LABEL.fullmatch(text):
                _open_block(function, "%" + text[:-1])
            else:
                instruction = known[line] = self._instruction(text, number)
                append(instruction)
        _close_block(function)
        if self._forms.has_block_addresses:
            _hide_blocks_elsewhere(function)

    def _instruction(self, text: str, number: int) -> Instruction:
        try:
            return self._forms.read(text)
        except UnknownOpcodeError as error:
            what = f"{error.args[0][:40]!r} is no opcode of LLVM 22"
        except (IndexError, ValueError):
            what = f"{text[:60]!r} is no instruction as LLVM 22 prints it"
        raise IRError(
            f"line {number}: {what}; the text is damaged, or comes from another version: "
            "print it again with LLVM 22"
        )


def _hide_blocks_elsewhere(function: Function) -> None:
    """Take away the labels of other functions: here they may be names of something else."""
    for index, instruction in enumerate(function.instructions):
        addresses = instruction.form.block_addresses
        foreign = {hole for hole, owner in addresses if owner != function.name}
        if foreign:
            names = enumerate(instruction.locals)
            hidden = tuple([HOLE if at in foreign else local for at, local in names])
            function.instructions[index] = replace(instruction, locals=hidden)


def _open_block(function: Function, label: str) -> None:
    """Start a block; the label before the first instruction is the entry's."""
    start = len(function.instructions)
    if start:
        _close_block(function)
        function.blocks.append(Block(label, start, start))
    else:
        function.blocks[0].label = label


def _close_block(function: Function) -> None:
    """End the block being read, checking that it ends as a block must."""
    block = function.blocks[-1]
    block.stop = len(function.instructions)
    if block.stop == block.start or function.instructions[-1].form.opcode not in TERMINATORS:
        raise IRError(
            f"block {block.label} of {function.name} ends without a terminator: "
            "the text is damaged or incomplete"
        )
