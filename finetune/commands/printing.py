"""What the evaluating verbs print and leave."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from finetune.evaluation.results import MARKDOWN, METRICS, Evaluation
from finetune.tasks.representations import Representation
from static_analysis import OscarError


def announced(console: Console, answers: Iterator[Representation]) -> Iterator[Representation]:
    """The representations, each named before it is judged."""
    for answer in answers:
        console.print(f"judging {answer.name}: {len(answer.programs)} programs")
        yield answer


def finish(console: Console, evaluation: Evaluation, out: Path) -> None:
    """Write the results into `out` and print them.

    Raises:
        OscarError: there are none.
    """
    if not evaluation.results:
        raise OscarError("nothing to judge: name a --model, or leave the baselines in")
    evaluation.write(out)
    console.print(evaluation.table())
    console.print(f"figures: {out / METRICS}, {out / MARKDOWN}")
