"""Splits LLVM IR text into lexemes.

One compiled expression finds every lexeme, so that reading is a single pass in C. What it
promises: the lexemes of a text, joined, are the text without its white space (outside quotes).
"""

import re

_LEXEME = re.compile(
    r"""
      (?:[%@$!]|c)?"[^"]*"                                 # names and strings in quotes
    | [%@$!\#^][-\w$.\\]+                                  # plain names, numbers of unnamed things
    | 0x[KLMHR]?[0-9A-Fa-f]+                               # floats given bit by bit
    | [-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?(?![\w.])         # integers and decimal floats
    | [\w.$-]*\w | \.\.\.                                  # keywords, types; variable arguments
    | \S                                                   # punctuation
    """,
    re.VERBOSE,
)
_BEFORE_COMMENT = re.compile(r'[^";]*(?:"[^"]*"[^";]*)*')


def lexemes(text: str) -> list[str]:
    """Return the lexemes of IR text without comments, in order.

    The first character tells the kind: ``%`` local or named type, ``@`` global, ``!`` metadata,
    ``#`` attribute group, a quote (or ``c"``) string, a digit or sign number, else a keyword or
    punctuation.
    """
    return _LEXEME.findall(text)


def without_comment(line: str) -> str:
    """Return a line up to its comment; a semicolon inside quotes starts none."""
    found = _BEFORE_COMMENT.match(line)
    return line[: found.end()].rstrip() if found else line
