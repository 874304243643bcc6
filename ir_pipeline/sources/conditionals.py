"""The branches of `#if`, `#else` and their like in a C or C++ text, and which of them are read.

What a compiler takes depends on macros of all headers and of its own, so it is asked: a pragma that
it does not know is put at the head of each branch, and those of the branches that it takes come
through its preprocessor.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

_PRAGMA = "#pragma oscar branch"
_SEEN = re.compile(rb"^#pragma oscar branch (\d+)", re.MULTILINE)
_INK = re.compile(rb"[^\r\n]")
# What a directive may not be looked for in, and directives with all that belongs to their line.
# Every part ends at the end of the text at the latest and in one way only (`(?>`, `*+`), so that
# one pass finds them all.
_COMMENT = r"(?>/\*.*?(?:\*/|\Z))"
_LINE_COMMENT = r"//(?:\\\r?\n|[^\n])*"
_SPACE = rf"(?:[ \t]|{_COMMENT})*+"
_WORDS = re.compile(
    rf"""
    ^{_SPACE}\#{_SPACE}(?P<word>if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b
        (?:{_LINE_COMMENT}|{_COMMENT}|\\\r?\n|[^\n])*
    | {_LINE_COMMENT}
    | {_COMMENT}
    | \b(?:u8?|U|L)?R"(?P<mark>[^()\\\s"]{{0,16}})\(.*?(?:\)(?P=mark)"|\Z)
    | "(?:\\.|[^"\\\n])*"?
    | '(?:\\.|[^'\\\n])*'?
    """.encode(),
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)


@dataclass(frozen=True)
class Branch:
    """One branch of a conditional.

    Attributes:
        start: offset of its directive.
        body: offset of the end of its directive's line.
        stop: offset of the next directive of the same conditional, or the end of the text.
    """

    start: int
    body: int
    stop: int


def branches(code: bytes) -> list[Branch]:
    """All branches in `code`, in the order they begin; those in comments and strings are none."""
    found: list[Branch] = []
    opened: list[int] = []  # for each conditional around, the number of its last branch
    for start, end, word in _directives(code):
        if word not in ("if", "ifdef", "ifndef"):
            if not opened:
                continue
            last = opened.pop()
            found[last] = Branch(found[last].start, found[last].body, start)
        if word != "endif":
            opened.append(len(found))
            found.append(Branch(start, end, len(code)))
    return found


def _directives(code: bytes) -> Iterator[tuple[int, int, str]]:
    for match in _WORDS.finditer(code):
        if match["word"]:
            yield match.start(), match.end(), match["word"].decode()


def marked(code: bytes) -> bytes:
    """`code` with a pragma in each branch, for a preprocessor to keep or to drop."""
    parts, reached = [], 0
    for number, branch in enumerate(branches(code)):
        parts += [code[reached : branch.body], f"\n{_PRAGMA} {number}".encode()]
        reached = branch.body
    return b"".join([*parts, code[reached:]])


def seen(preprocessed: bytes) -> frozenset[int]:
    """The numbers of the branches whose pragma came through."""
    return frozenset(int(number) for number in _SEEN.findall(preprocessed))


def only_branches(code: bytes, numbers: Collection[int]) -> bytes:
    """`code` with spaces in place of conditional directives and of all other branches.

    Line ends stay, so that all that is left is at its offset and on its line.
    """
    text, reached = bytearray(code), 0
    for start, end, _ in _directives(code):
        text[start:end] = blank(code[start:end])
    for number, branch in enumerate(branches(code)):
        # What is in a branch that is not taken is blank already.
        if number not in numbers and branch.body >= reached:
            reached = branch.stop
            text[branch.body : reached] = blank(code[branch.body : reached])
    return bytes(text)


def blank(code: bytes) -> bytes:
    """Spaces, as many as `code` is long, and its line ends."""
    return _INK.sub(b" ", code)
