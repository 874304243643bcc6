"""Reads LLVM IR text in its printed form: text → module, functions, blocks, instructions.

"Printed form" is what ``llvm-dis`` and ``str(module)`` give: one definition a line, functions
between ``define … {`` and ``}``. Instructions the printer spreads over lines (``switch``,
``invoke``, ``landingpad``, ``callbr``) are joined; debug records are skipped.
"""

import re
from collections.abc import Iterator

from static_analysis.entities import parse_global, parse_group, parse_prototype
from static_analysis.errors import IRError
from static_analysis.instructions import parse_instruction
from static_analysis.ir import Block, Function, Module
from static_analysis.keywords import TERMINATORS
from static_analysis.lexer import lexemes, without_comment

_LABEL = re.compile(r'("[^"]*"|[-\w$.]+):(?=\s|;|$)')
_CONTINUES = re.compile(r"to label |cleanup(?=[ ,]|$)|catch |filter |unwind |\]")
_NOT_CODE = ("#dbg_", "uselistorder")
_OTHER_ENTITIES = ("!", "$", "^", "source_filename", "target ", "module asm", "uselistorder")
_NOT_IR = (
    "line {} is not LLVM IR as LLVM prints it: {!r}; "
    "give the output of llvm-dis or of ir_pipeline.lower"
)

NumberedLine = tuple[int, str]


def read_module(text: str) -> Module:
    """Read a module.

    Args:
        text: IR in printed form; an empty text is a module without functions.

    Raises:
        IRError: the text is not IR, is cut off inside a function, or uses an opcode that
            LLVM 22 does not have.
    """
    module = Module()
    lines = iter(enumerate(text.split("\n"), start=1))
    for number, line in lines:
        if not line or line.isspace():
            continue
        try:
            if line.startswith("define "):
                module.functions.append(_read_function(number, line, lines, module))
            else:
                _read_entity(number, line, module)
        except (IndexError, ValueError) as error:
            raise IRError(_NOT_IR.format(number, line.strip()[:60])) from error
    return module


def _read_entity(number: int, line: str, module: Module) -> None:
    """Take in one line outside functions."""
    start = line[0]
    if start in ";!":
        return
    if start == "%":
        module.types.define(lexemes(line))
    elif start == "@":
        found = parse_global(line, module.types)
        module.globals[found.name] = found
    elif line.startswith("declare "):
        prototype = parse_prototype(number, lexemes(line), module.types)
        module.prototypes[prototype.name] = prototype
    elif line.startswith("attributes "):
        group = lexemes(line)
        module.groups[group[1]] = parse_group(group, module.types)
    elif line.startswith("target datalayout"):
        module.datalayout = lexemes(line)[-1].strip('"')
    elif not line.startswith(_OTHER_ENTITIES):
        raise ValueError("no entity of a module")


def _read_function(
    number: int, line: str, lines: Iterator[NumberedLine], module: Module
) -> Function:
    header = lexemes(without_comment(line))
    prototype = parse_prototype(number, header, module.types)
    if header[-1] != "{":
        raise IRError(
            f"line {number}: the body of {prototype.name} does not start on its define line"
        )
    module.prototypes[prototype.name] = prototype
    function = Function(prototype)
    _read_body(function, lines)
    return function


def _read_body(function: Function, lines: Iterator[NumberedLine]) -> None:
    unnamed = sum(name[1:].isdecimal() for name in function.parameters)
    label = f"%{unnamed}"
    function.blocks.append(Block(label, 0, 0))
    for number, text in _statements(function.name, lines):
        found = _LABEL.match(text)
        if found is None:
            function.instructions.append(parse_instruction(number, text))
        elif not function.instructions:
            function.blocks[0].label = "%" + found[1]
        else:
            _close_block(function)
            start = len(function.instructions)
            function.blocks.append(Block("%" + found[1], start, start))
    _close_block(function)


def _close_block(function: Function) -> None:
    """End the block being read, checking that it ends as a block must."""
    block = function.blocks[-1]
    block.stop = len(function.instructions)
    if block.stop == block.start or function.instructions[-1].opcode not in TERMINATORS:
        raise IRError(
            f"block {block.label} of {function.name} ends without a terminator: "
            "the text is damaged or incomplete"
        )


def _statements(name: str, lines: Iterator[NumberedLine]) -> Iterator[NumberedLine]:
    """Yield the labels and instructions of a body, each on one line, up to the closing brace."""
    pending: list[str] = []
    first, in_switch = 0, False
    for number, raw in lines:
        line = without_comment(raw.strip())
        if not line or line.startswith(_NOT_CODE):
            continue
        if pending and (in_switch or _CONTINUES.match(line)):
            pending.append(line)
            in_switch = in_switch and not line.startswith("]")
            continue
        if pending:
            yield first, " ".join(pending)
        if line == "}":
            return
        pending, first, in_switch = [line], number, line.endswith("[")
    raise IRError(f"the text ends inside function {name}: the file is cut off")
