"""Functions with a comment that describes them, mined from corpora: what search is learned from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from ir_pipeline import FunctionView
from ir_pipeline.rows.symbol_names import source_name

_MARKUP = re.compile(
    r"[@\\](?:param|returns?|brief|note|see|since|file|author)\b.*"
    r"|^[\s*/!<]+|[\s*/]+$"
    r"|[-=#*_~+]{3,}",
    re.MULTILINE,
)
_SENTENCE_END = re.compile(r"(?<=[^.\sA-Z][.!?])(?<!e\.g\.)(?<!i\.e\.)\s+(?=[A-Z])|\n\s*\n")
_WORD = re.compile(r"(?<![\w.])[A-Za-z]{2,}(?![\w(])")
_SPDX = re.compile(r"SPDX-License-Identifier:.*")
_SIGNATURE = r"(?:\w+\s*\([^()]{0,200}\)|\w*[_\d]\w*)\s*(?::|--)\s+"
_BOILERPLATE = re.compile(
    r"copyright|licen[cs]e|warrant|public domain|derived from|taken from|borrowed from|adapted from"
    r"|deprecated|todo|fixme|xxx\b|lcov|added (?:at|in|to|by)|checked ok|https?://"
    r"|^this (?:function )?(?:is|was) (?:private|internal|added)|not called internally"
    r"|^these\b|^the (?:following|rest|next)\b|\b(?:helpers?|functions|routines|callbacks)\W*$",
    re.IGNORECASE,
)

LEAST_WORDS = 4
"""A shorter description says too little of a function to find it by."""
LEAST_LETTERS = 0.7
"""Share of letters and spaces below which a comment is a formula, or code."""
MOST_FUNCTIONS = 3
"""A text above more functions than these describes none of them."""

SHORT, BOILERPLATE, FORMULA, REPEATED, COPY = (
    "fewer than four words",
    "licence, history or section",
    "formula or code",
    "text above many functions",
    "copy of another function",
)
"""Why a comment is left out."""


@dataclass(frozen=True)
class Described:
    """A function and what its comment says it does.

    Attributes:
        text: the first sentence of the comment.
        name: of the function, as in its source.
        rows: number in the corpus of each of its views.
    """

    text: str
    name: str
    rows: list[int]


@dataclass
class Mined:
    """What a corpus gives.

    Attributes:
        pairs: in the corpus's order.
        functions: how many there are in the corpus.
        commented: how many of them have a comment.
        dropped: how many comments were left out, by reason.
    """

    pairs: list[Described] = field(default_factory=list)
    functions: int = 0
    commented: int = 0
    dropped: Counter[str] = field(default_factory=Counter)

    @property
    def texts(self) -> list[str]:
        """The description of each pair."""
        return [pair.text for pair in self.pairs]


def mine(rows: Iterable[FunctionView]) -> Mined:
    """The functions whose comment describes them, each once.

    Args:
        rows: of a corpus, all views, in its order: the views of a function together.
    """
    mined, seen = Mined(), set()
    for _, members in groupby(enumerate(rows), key=lambda item: item[1].group):
        views = list(members)
        first = views[0][1]
        mined.functions += 1
        if not first.doc:
            continue
        mined.commented += 1
        text = description(first.doc, first.function)
        if reason := COPY if first.hash in seen else unfit(text):
            mined.dropped[reason] += 1
            continue
        seen.add(first.hash)
        numbers = [number for number, _ in views]
        mined.pairs.append(Described(text, source_name(first.function), numbers))
    return _without_repeated(mined)


def description(doc: str, symbol: str = "") -> str:
    """The first sentence of a doc comment, without the marks of comments, tags and its own name.

    Args:
        doc: one or more comments, of which the last counts: it stands next to the function.
        symbol: the function's symbol; many comments begin with its name and parameters.
    """
    last = _SPDX.sub("", doc).strip().removesuffix("*/").rpartition("*/")[2]
    plain = _MARKUP.sub("", last).strip()
    name = source_name(symbol).rpartition("::")[2]
    own = rf"{re.escape(name)}(?:\(\))?\s*(?::|--|\n)\s*" if name else "(?!)"
    plain = re.sub(rf"\A(?:{own}|{_SIGNATURE})", "", plain)
    return " ".join(_SENTENCE_END.split(plain, maxsplit=1)[0].split())


def unfit(text: str) -> str:
    """Why a text describes no function; empty if it may."""
    if len(_WORD.findall(text)) < LEAST_WORDS:
        return SHORT
    if _BOILERPLATE.search(text):
        return BOILERPLATE
    letters = sum(character.isalpha() or character.isspace() for character in text)
    return FORMULA if letters < LEAST_LETTERS * len(text) else ""


def key(text: str) -> str:
    """Equal for texts that say the same in the same words."""
    return " ".join(_WORD.findall(text.lower()))


def _without_repeated(mined: Mined) -> Mined:
    counts = Counter(map(key, mined.texts))
    kept = [pair for pair in mined.pairs if counts[key(pair.text)] <= MOST_FUNCTIONS]
    mined.dropped[REPEATED] += len(mined.pairs) - len(kept)
    mined.dropped = +mined.dropped
    mined.pairs = kept
    return mined


def examples(pairs: Sequence[Described], count: int) -> list[tuple[str, str]]:
    """Name and description of some pairs, spread over all."""
    step = max(1, len(pairs) // count)
    return [(pair.name, pair.text) for pair in pairs[::step][:count]]
