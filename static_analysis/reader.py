"""Reads LLVM IR text in its printed form: text → module, functions, blocks, instructions.

"Printed form" is what ``llvm-dis`` and ``str(module)`` give: one definition a line, functions
between ``define … {`` and ``}``. Instructions the printer spreads over lines (``switch``,
``invoke``, ``landingpad``, ``callbr``) are joined; debug records are skipped.
"""

import re
from collections.abc import Iterator

from static_analysis.errors import IRError
from static_analysis.instructions import parse_instruction
from static_analysis.ir import Block, Function, Module
from static_analysis.keywords import CLOSE, LINKAGES, OPEN, TERMINATORS
from static_analysis.lexer import lexemes, without_comment

_LABEL = re.compile(r'("[^"]*"|[-\w$.]+):(?=\s|;|$)')
_CONTINUES = re.compile(r"to label |cleanup(?=[ ,]|$)|catch |filter |unwind |\]")
_NOT_CODE = ("#dbg_", "uselistorder")
_OTHER_ENTITIES = ("!", "$", "^", "source_filename", "target ", "module asm", "uselistorder")

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
        if line.startswith("define "):
            module.functions.append(_read_function(number, line, lines, module))
        elif line and not line.isspace():
            _read_entity(number, line, module)
    return module


def _read_entity(number: int, line: str, module: Module) -> None:
    """Take in one line outside functions."""
    start = line[0]
    if start in ";!":
        return
    if start == "%":
        module.types.add(lexemes(line)[0])
    elif start == "@":
        _read_global(lexemes(line), module)
    elif line.startswith("declare "):
        header = lexemes(line)
        module.callables[_function_name(number, header)] = _groups(header)
    elif line.startswith("attributes "):
        module.groups[lexemes(line)[1]] = line
    elif not line.startswith(_OTHER_ENTITIES):
        raise IRError(
            f"line {number} is not LLVM IR as LLVM prints it: {line.strip()[:60]!r}; "
            "give the output of llvm-dis or of ir_pipeline.lower"
        )


def _read_global(entity: list[str], module: Module) -> None:
    """Remember an alias of a function or an ifunc as something to call."""
    head = entity[: entity.index(",")] if "," in entity else entity
    if "ifunc" in head or ("alias" in head and "(" in head):
        module.callables[entity[0]] = ()


def _function_name(number: int, header: list[str]) -> str:
    for lexeme in header:
        if lexeme[0] == "@":
            return lexeme
    raise IRError(f"line {number} declares a function without a name: the text is damaged")


def _groups(header: list[str]) -> tuple[str, ...]:
    return tuple(lexeme for lexeme in header if lexeme[0] == "#")


def _read_function(
    number: int, line: str, lines: Iterator[NumberedLine], module: Module
) -> Function:
    header = lexemes(without_comment(line))
    name = _function_name(number, header)
    if header[-1] != "{":
        raise IRError(f"line {number}: the body of {name} does not start on its define line")
    linkage = header[1] if header[1] in LINKAGES else "external"
    function = Function(name, linkage, _parameters(header, header.index(name) + 1))
    module.callables[name] = _groups(header)
    _read_body(function, lines)
    return function


def _parameters(header: list[str], opening: int) -> list[str]:
    """Return the parameters' names as lexemes; ``opening`` is where their bracket opens."""
    names, depth = [], 0
    for at in range(opening, len(header)):
        lexeme = header[at]
        depth += (lexeme in OPEN) - (lexeme in CLOSE)
        ends_parameter = depth == 0 or (depth == 1 and lexeme == ",")
        if ends_parameter and header[at - 1][0] == "%":
            names.append(header[at - 1])
        if depth == 0:
            break
    return names


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
