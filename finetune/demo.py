"""`oscar demo`: the whole road on the example corpus, in minutes on two cores."""

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import torch
from rich.console import Console

from finetune.baselines import opcode_histograms
from finetune.comparison import Representation, figure_table, query_table
from finetune.picture import draw_map
from finetune.retrieval import evaluate_retrieval
from ir_pipeline import FunctionView
from ir_pipeline.atomic import write_atomically
from ir_pipeline.preprocess import preprocess
from oscar.commands.index import index
from oscar.commands.search import search
from oscar.embedding import Embeddings, Unit, embed, read_rows
from oscar.embedding_file import Origin, write_embeddings
from oscar.model import OscarModel
from pretrain.config import TrainingConfig
from pretrain.train import train
from static_analysis import OscarError

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
QUERIES = 8
"""Programs whose nearest neighbours are printed one by one."""

LEARNING_RATE = 1e-3
MOCO_WEIGHT = 3.0
"""For a run of minutes: learn fast, and above all to tell functions apart."""


def demo(
    *,
    out: Path = Path("oscar-demo"),
    examples: Path = EXAMPLES,
    steps: int = 150,
    minutes: float = 4,
    seed: int = 0,
) -> None:
    """Preprocess the examples, pretrain a tiny model, embed, index, search and judge the result.

    Example: `oscar demo --out oscar-demo`

    Every number printed is computed in the run. Run again, it takes up what is there.

    Args:
        out: Folder for corpus, model, embeddings, index, map and figures.
        examples: Folder of tasks, each a folder of independent implementations.
        steps: Training steps.
        minutes: Stop training after this long, finished or not.
        seed: Seed of views, initialisation, batches and masks.
    """
    query = _first_of_a_task(examples)
    console = Console()
    corpus, run = out / "corpus", out / "run"
    console.rule("1 · preprocess")
    preprocess([examples], out=corpus, seed=seed)
    console.rule("2 · pretrain")
    options = TrainingConfig(
        steps=steps,
        minutes=minutes,
        learning_rate=LEARNING_RATE,
        moco_weight=MOCO_WEIGHT,
        seed=seed,
    )
    train(corpus, run, options, preset="tiny")
    console.rule("3 · embed, index and search")
    rows = [row for row in read_rows([corpus]) if isinstance(row, FunctionView)]
    trained = _embed_and_index(run, rows, out)
    search(out / "index", code=str(query), k=5)
    console.rule("4 · is the nearest program another implementation of the same task?")
    _report(console, *_representations(run, rows, trained, seed), out)


def _first_of_a_task(examples: Path) -> Path:
    """The first implementation in alphabetical order.

    Raises:
        OscarError: there are no tasks with several implementations.
    """
    files = sorted(path for path in examples.glob("*/*") if path.suffix in (".c", ".cpp"))
    if max(Counter(path.parent for path in files).values(), default=0) < 2:
        raise OscarError(
            f"{examples} holds no folder with two or more C or C++ files: run from a checkout or "
            "give --examples"
        )
    return files[0]


def _embed_and_index(run: Path, rows: list[FunctionView], out: Path) -> Embeddings:
    embeddings = embed(run, rows)
    write_embeddings(out / "embeddings.parquet", embeddings, Origin.of(run))
    index(out / "embeddings.parquet", out=out / "index")
    return embeddings


def _representations(
    run: Path, rows: list[FunctionView], trained: Embeddings, seed: int
) -> tuple[list[Unit], list[Representation]]:
    units, vectors = trained.by_unit()
    return units, [
        Representation("OSCAR, pretrained", vectors),
        Representation("OSCAR, untrained", embed(_untrained(run, seed), rows).by_unit()[1]),
        Representation("opcode histogram", opcode_histograms(rows)[1]),
    ]


def _untrained(run: Path, seed: int) -> OscarModel:
    """The model of `run` as it was before its first step."""
    trained = OscarModel.from_pretrained(run)
    torch.manual_seed(seed)
    untrained = OscarModel(trained.config)
    untrained.tokenizer = trained.tokenizer
    return untrained


def task_of(unit: Unit) -> str:
    """The task an example implements: the folder it lies in."""
    return Path(unit[1]).parent.name


def _report(
    console: Console, units: list[Unit], representations: list[Representation], out: Path
) -> None:
    tasks = [task_of(unit) for unit in units]
    figures = {r.name: evaluate_retrieval(r.vectors, tasks) for r in representations}
    console.print(query_table(units, representations, task_of, QUERIES))
    console.print(figure_table(figures))
    text = json.dumps({name: asdict(figure) for name, figure in figures.items()}, indent=2)
    write_atomically(out / "metrics.json", text.encode() + b"\n")
    draw_map(out / "map.png", representations[0].vectors, tasks)
    console.print(f"map of the embeddings: {out / 'map.png'}; figures: {out / 'metrics.json'}")
