"""Reads LLVM IR text in its printed form: text → module, functions, blocks, instructions.

"Printed form" is what ``llvm-dis`` and ``str(module)`` give: one definition a line, functions
between ``define … {`` and ``}``. Instructions the printer spreads over lines (``switch``,
``invoke``, ``landingpad``, ``callbr``) are joined; debug records are skipped.
"""

from static_analysis.errors import IRError
from static_analysis.reading.bodies import BodyReader, join_lines
from static_analysis.reading.entities import parse_global, parse_group, parse_prototype
from static_analysis.reading.forms import FormTable
from static_analysis.reading.ir import Function, Module
from static_analysis.reading.lexer import lexemes, without_comment

_OTHER_ENTITIES = ("!", "$", "^", "source_filename", "target ", "uselistorder")
_NOT_IR = (
    "line {} is not LLVM IR as LLVM prints it: {!r}; "
    "give the output of llvm-dis or of ir_pipeline.lower"
)


def read_module(text: str) -> Module:
    """Read a module.

    Args:
        text: IR in printed form; an empty text is a module without functions.

    Raises:
        IRError: the text is not IR, is cut off inside a function, or uses an opcode that
            LLVM 22 does not have.
    """
    module = Module()
    bodies = BodyReader(FormTable(module.types))
    lines = join_lines(text.replace("\r\n", "\n")).split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        try:
            if line.startswith("define "):
                at = _read_function(lines, at, module, bodies)
            elif line and not line.isspace():
                _read_entity(at + 1, line, module)
        except (IndexError, ValueError) as error:
            raise IRError(_NOT_IR.format(at + 1, line.strip()[:60])) from error
        at += 1
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
    elif line.startswith("module asm"):
        module.has_assembly = True
    elif not line.startswith(_OTHER_ENTITIES):
        raise ValueError("no entity of a module")


def _read_function(lines: list[str], start: int, module: Module, bodies: BodyReader) -> int:
    """Read the function whose ``define`` is line ``start``; return the index of its last line."""
    header = lexemes(without_comment(lines[start]))
    prototype = parse_prototype(start + 1, header, module.types)
    if header[-1] != "{":
        raise IRError(
            f"line {start + 1}: the body of {prototype.name} does not start on its define line"
        )
    try:
        stop = lines.index("}", start)
    except ValueError:
        raise IRError(
            f"the text ends inside function {prototype.name}: the file is cut off"
        ) from None
    module.prototypes[prototype.name] = prototype
    function = Function(prototype)
    bodies.read(function, lines[start + 1 : stop], start + 2)
    module.functions.append(function)
    return stop
