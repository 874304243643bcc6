"""`oscar demo`: the whole road on the example corpus, in minutes on two cores."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from rich.console import Console
from rich.table import Table

from finetune.baselines import opcode_histograms
from finetune.picture import draw_map
from finetune.retrieval import Retrieval, evaluate_retrieval, neighbours
from ir_pipeline import FunctionView
from ir_pipeline.preprocess import preprocess
from oscar.commands.index import index
from oscar.commands.search import search
from oscar.embedding import Embeddings, embed, read_rows
from oscar.embedding_file import Origin, write_embeddings
from oscar.model import OscarModel
from pretrain.train import pretrain
from static_analysis import OscarError

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
QUERIES = 8
"""Programs whose nearest neighbours are printed one by one."""


class Representation(NamedTuple):
    """A named way to turn units into vectors (units, dim)."""

    name: str
    vectors: np.ndarray


def demo(
    *,
    out: Path = Path("oscar-demo"),
    examples: Path = EXAMPLES,
    steps: int = 400,
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
    if not examples.is_dir():
        raise OscarError(f"{examples} is not there: run from a checkout or give --examples")
    console = Console()
    corpus, run = out / "corpus", out / "run"
    console.rule("1 · preprocess")
    preprocess([examples], out=corpus, seed=seed)
    console.rule("2 · pretrain")
    pretrain(corpus, out=run, preset="tiny", steps=steps, minutes=minutes, seed=seed)
    console.rule("3 · embed, index and search")
    rows = [row for row in read_rows([corpus]) if isinstance(row, FunctionView)]
    trained = _embed_and_index(run, rows, out)
    search(out / "index", code=str(_example_query(examples)), k=5)
    console.rule("4 · is the nearest program another implementation of the same task?")
    units, representations = _representations(run, rows, trained, seed)
    _report(console, units, representations, out)


def _embed_and_index(run: Path, rows: list[FunctionView], out: Path) -> Embeddings:
    model = OscarModel.from_pretrained(run)
    embeddings = embed(model, rows)
    write_embeddings(out / "embeddings.parquet", embeddings, Origin.of(run))
    index(out / "embeddings.parquet", out=out / "index")
    return embeddings


def _example_query(examples: Path) -> Path:
    """The first implementation of the first task, in alphabetical order."""
    return min(path for path in examples.glob("*/*") if path.suffix in (".c", ".cpp"))


def _representations(
    run: Path, rows: list[FunctionView], trained: Embeddings, seed: int
) -> tuple[list[str], list[Representation]]:
    units, vectors = trained.by_unit()
    untrained = embed(_untrained(run, seed), rows)
    histograms = opcode_histograms(rows)[1]
    return units, [
        Representation("OSCAR, pretrained", vectors),
        Representation("OSCAR, untrained", untrained.by_unit()[1]),
        Representation("opcode histogram", histograms),
    ]


def _untrained(run: Path, seed: int) -> OscarModel:
    """The model of `run` as it was before its first step."""
    trained = OscarModel.from_pretrained(run)
    torch.manual_seed(seed)
    untrained = OscarModel(trained.config)
    untrained.tokenizer = trained.tokenizer
    return untrained


def task_of(unit: str) -> str:
    """The task an example implements: the folder it lies in."""
    return Path(unit).parent.name


def _report(
    console: Console, units: list[str], representations: list[Representation], out: Path
) -> None:
    tasks = [task_of(unit) for unit in units]
    figures = {r.name: evaluate_retrieval(r.vectors, tasks) for r in representations}
    console.print(_query_table(units, representations))
    console.print(_figure_table(figures))
    (out / "metrics.json").write_text(
        json.dumps({name: asdict(figure) for name, figure in figures.items()}, indent=2) + "\n",
        encoding="utf-8",
    )
    draw_map(out / "map.png", representations[0].vectors, tasks)
    console.print(f"map of the embeddings: {out / 'map.png'}; figures: {out / 'metrics.json'}")


def _query_table(units: list[str], representations: list[Representation]) -> Table:
    table = Table(title="Nearest program of some queries", title_justify="left")
    table.add_column("query")
    nearest = []
    for representation in representations:
        table.add_column(representation.name)
        nearest.append(neighbours(representation.vectors)[:, 0])
    for query in range(0, len(units), max(1, len(units) // QUERIES)):
        answers = [units[column[query]] for column in nearest]
        marks = [
            f"{'[green]✓' if task_of(a) == task_of(units[query]) else '[red]✗'}[/] {short(a)}"
            for a in answers
        ]
        table.add_row(short(units[query]), *marks)
    return table


def short(unit: str) -> str:
    """Task and file name of an example."""
    return "/".join(Path(unit).parts[-2:])


def _figure_table(figures: dict[str, Retrieval]) -> Table:
    queries = next(iter(figures.values())).queries
    table = Table(title=f"All {queries} programs as queries", title_justify="left")
    table.add_column("representation")
    for column in ("recall@1", "MRR", "MAP@R"):
        table.add_column(column, justify="right")
    for name, figure in figures.items():
        values = (figure.recall_at_1, figure.mrr, figure.map_at_r)
        table.add_row(name, *(f"{100 * value:.1f} %" for value in values))
    return table
