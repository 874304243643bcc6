"""Questions in words, each answered by one function, as MBXP has them."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ir_pipeline.atomic import write_atomically
from static_analysis import OscarError

_TEXT_OR_COMMENT = re.compile(
    r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|/\*.*?\*/|//[^\n]*""", re.DOTALL
)


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
    except KeyError as error:
        raise OscarError(f"{path}: a line has no {error}: give a file of MBXP questions") from None
    except (OSError, EOFError, ValueError, TypeError) as error:
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
