"""From the text of one instruction to its parts.

What says nothing about what the instruction does is left out here, once, for both streams:
metadata attachments, attribute groups, alignment and the words of ``keywords.SILENT``.
Attributes that change what happens stay (``byval``, ``sret``, ``inalloca``, …).
"""

from static_analysis.keywords import CLOSE, OPEN, SILENT, SILENT_WITH_NUMBER
from static_analysis.operands import closing

_SPECIAL = OPEN | CLOSE | SILENT | {","}


def divide(found: list[str], start: int) -> tuple[list[list[str]], tuple[str, ...]]:
    """Split at the commas outside brackets, leaving out what is silent; also return groups."""
    part: list[str] = []
    parts, groups = [part], []
    depth, at, stop = 0, start, len(found)
    while at < stop:
        lexeme = found[at]
        at += 1
        if lexeme not in _SPECIAL:
            if depth == 0 and lexeme[0] == "#":
                groups.append(lexeme)
            elif depth == 0 and lexeme[0] == "!" and not part and len(parts) > 1:
                break  # metadata attachments end an instruction
            else:
                part.append(lexeme)
        elif lexeme in SILENT:
            at = _after_silent(found, at)
        elif lexeme == "," and depth == 0:
            part = []
            parts.append(part)
        else:
            depth += (lexeme in OPEN) - (lexeme in CLOSE)
            part.append(lexeme)
    return [part for part in parts if part], tuple(groups)


def _after_silent(found: list[str], at: int) -> int:
    """Return where to go on after a silent word: past its number or its bracket."""
    if at < len(found) and found[at] == "(":
        return closing(found, at) + 1
    return at + 1 if found[at - 1] in SILENT_WITH_NUMBER else at
