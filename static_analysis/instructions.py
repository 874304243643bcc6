"""From the text of one instruction to its parts.

What says nothing about what the instruction does is left out here, once, for both streams:
metadata attachments, attribute groups, alignment, calling conventions, tail-call marks, and
parameter attributes that only assert facts. Attributes that change what happens stay (``byval``,
``sret``, ``inalloca``, …).
"""

from static_analysis.errors import IRError
from static_analysis.ir import OPCODES, Instruction
from static_analysis.lexer import lexemes

_OPEN = frozenset("([{<")
_CLOSE = frozenset(")]}>")
_WITH_VALUE = frozenset({"align", "cc"})
_SILENT = frozenset(
    "align alignstack allocalign allocptr captures cc coldcc dead_on_return dead_on_unwind "
    "dereferenceable dereferenceable_or_null dso_local fastcc immarg initializes inreg "
    "noalias nocapture noext nofpclass nofree nonnull noundef notail musttail range readnone "
    "readonly returned signext tail tailcc swiftcc swifttailcc preserve_mostcc preserve_allcc "
    "preserve_nonecc ghccc writable writeonly zeroext".split()
)
_SPECIAL = _OPEN | _CLOSE | _SILENT | {","}
_TAIL_MARKS = ("tail", "musttail", "notail")


def parse_instruction(number: int, text: str) -> Instruction:
    """Take one instruction apart.

    Args:
        number: the line it starts on, for messages.
        text: the instruction on one line.

    Raises:
        IRError: it has no opcode that LLVM 22 knows.
    """
    found = lexemes(text)
    result, start = (found[0], 2) if len(found) > 2 and found[1] == "=" else (None, 0)
    opcode = found[start]
    if opcode in _TAIL_MARKS and start + 1 < len(found):
        opcode = found[start + 1]
    if opcode not in OPCODES:
        raise IRError(
            f"line {number}: {opcode[:40]!r} is no opcode of LLVM 22; the text is not IR, or "
            "comes from another version: print it again with LLVM 22"
        )
    parts, groups = _divide(found, start)
    return Instruction(text, result, opcode, parts, groups)


def _divide(found: list[str], start: int) -> tuple[list[list[str]], tuple[str, ...]]:
    """Split at the commas outside brackets, leaving out what is silent; also return groups."""
    part: list[str] = []
    parts, groups = [part], []
    depth, at, stop = 0, start, len(found)
    while at < stop:
        lexeme = found[at]
        at += 1
        if lexeme not in _SPECIAL:
            if depth == 0 and lexeme[0] in "#!":
                if lexeme[0] == "#":
                    groups.append(lexeme)
                    continue
                if not part and len(parts) > 1:
                    break  # metadata attachments end an instruction
            part.append(lexeme)
        elif lexeme in _SILENT:
            at = _after_silent(found, at)
        elif lexeme == "," and depth == 0:
            part = []
            parts.append(part)
        else:
            depth += (lexeme in _OPEN) - (lexeme in _CLOSE)
            part.append(lexeme)
    return [part for part in parts if part], tuple(groups)


def _after_silent(found: list[str], at: int) -> int:
    """Return where to go on after a silent word: past its number or its bracket."""
    if at >= len(found):
        return at
    if found[at] == "(":
        depth = 0
        while at < len(found):
            depth += (found[at] in _OPEN) - (found[at] in _CLOSE)
            at += 1
            if depth == 0:
                break
        return at
    return at + 1 if found[at - 1] in _WITH_VALUE else at
