"""What the evaluating verbs print and leave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from rich.console import Console

from finetune.evaluation.results import MARKDOWN, METRICS, Evaluation
from finetune.tasks.representations import Representation
from ir_pipeline.atomic import write_atomically
from oscar.folder import CARD
from oscar.model_card import with_section
from static_analysis import OscarError


def announced(console: Console, answers: Iterable[Representation]) -> Iterator[Representation]:
    """The representations, each named before it is judged."""
    for answer in answers:
        console.print(f"judging {answer.name}: {len(answer.programs)} programs")
        yield answer


def finish(console: Console, evaluation: Evaluation, out: Path) -> None:
    """Write the results into `out` and into the cards of the models, and print them.

    A card that cannot be written to, because its model belongs to somebody else, stays as it is.

    Raises:
        OscarError: there are none.
    """
    if not evaluation.results:
        raise OscarError("nothing to judge: name a --model, or leave the baselines in")
    evaluation.write(out)
    console.print(evaluation.table())
    files = [METRICS, MARKDOWN, *evaluation.pictures]
    console.print(f"written: {', '.join(str(out / file) for file in files)}")
    for model in dict.fromkeys(result.model for result in evaluation.results.values()):
        if model is not None and evaluation.task:
            console.print(_noted(evaluation, model))


def _noted(evaluation: Evaluation, model: str) -> str:
    """Write the results of a model into its card, and say so."""
    card = Path(model) / CARD
    try:
        text = card.read_text(encoding="utf-8") if card.exists() else ""
        section = with_section(
            text, f"Evaluation: {evaluation.task}", evaluation.card_section(model)
        )
        write_atomically(card, section.encode())
    except OSError as error:
        return f"model card: {card} stays as it is: {error.strerror}"
    return f"model card: {card}"
