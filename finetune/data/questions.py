"""Questions in words, each answered by one function: MBXP, or pairs mined from a corpus."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ir_pipeline import FunctionView
from ir_pipeline.atomic import write_atomically
from static_analysis import OscarError

_TEXT_OR_COMMENT = re.compile(
    r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|/\*.*?\*/|//[^\n]*""", re.DOTALL
)
_MARKUP = re.compile(
    r"[@\\](?:param|returns?|brief|note|see|since|file|author)\b.*"
    r"|SPDX-License-Identifier:.*"
    r"|^\s*[*/!<]+",
    re.MULTILINE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s|\n\s*\n")
_WORD = re.compile(r"[A-Za-z]{2,}")

LEAST_WORDS = 4
"""A shorter description says too little of a function to find it by."""


@dataclass(frozen=True, slots=True)
class Question:
    """A description and the function that answers it.

    Attributes:
        id: unique in its set.
        text: what is asked for, in words.
        code: the answer with all that it needs to compile, comments left out.
        function: name of the answer.
    """

    id: str
    text: str
    code: str
    function: str


def read_mbxp(path: Path) -> list[Question]:
    """The questions of an MBXP file (`.jsonl[.gz]`) that come with a solution, in its order.

    Comments are taken out of the code: they repeat the question.

    Raises:
        OscarError: it cannot be read, or is no such file.
    """
    opener = gzip.open if path.name.lower().endswith(".gz") else open
    try:
        with opener(path, "rt", encoding="utf-8") as file:
            return [_question(line) for line in map(json.loads, file) if line["canonical_solution"]]
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise OscarError(f"{path} cannot be read as MBXP questions: {error!r}") from None


def _question(line: dict[str, str]) -> Question:
    code = without_comments(line["prompt"] + line["canonical_solution"])
    return Question(line["task_id"], line["description"], code, line["entry_point"])


def without_comments(code: str) -> str:
    """C or C++ code with each comment turned into a space; text in quotes stays."""
    return _TEXT_OR_COMMENT.sub(lambda found: found[1] or " ", code)


def write_collection(questions: Iterable[Question], path: Path) -> None:
    """Write the answers as a collection of programs that `oscar preprocess` reads."""
    lines = (
        json.dumps({"file": question.id, "code": question.code, "label": question.function})
        for question in questions
    )
    write_atomically(path, "".join(f"{line}\n" for line in lines).encode())


def described(rows: Iterable[FunctionView]) -> Iterator[tuple[str, FunctionView]]:
    """The functions with a doc comment that describes them, and that description.

    A description is the comment's first sentence without markup and tags, of four words or more.
    """
    for row in rows:
        text = description(row.doc or "")
        if len(_WORD.findall(text)) >= LEAST_WORDS:
            yield text, row


def description(doc: str) -> str:
    """The first sentence of a doc comment, without the marks of comments and tags."""
    plain = _MARKUP.sub("", doc.removesuffix("*/")).strip()
    return " ".join(_SENTENCE_END.split(plain, maxsplit=1)[0].split())
