"""`oscar demo`: the whole road on the example corpus, in minutes on two cores."""

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from finetune.demo.comparison import figure_table, query_table
from finetune.demo.questions import Contestants, find_optimised, find_same_task, task_of
from finetune.evaluation.picture import draw_map
from ir_pipeline.atomic import write_atomically
from ir_pipeline.preprocess import preprocess
from oscar.commands.console import output
from oscar.commands.index import index
from oscar.commands.search import search
from oscar.embedding import embed
from oscar.embedding_file import Origin, write_embeddings
from pretrain.config import TrainingConfig
from pretrain.train import train
from static_analysis import OscarError

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
QUERIES = 8
"""Programs whose nearest neighbours are printed one by one."""


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
    console = output()
    corpus, run = out / "corpus", out / "run"
    console.rule("1 · preprocess")
    preprocess([examples], out=corpus, seed=seed)
    console.rule("2 · pretrain")
    options = TrainingConfig(steps=steps, minutes=minutes, seed=seed)
    train(corpus, run, options, preset="tiny")
    console.rule("3 · embed, index and search")
    write_embeddings(out / "embeddings.parquet", embed(run, corpus), Origin.of(run))
    index(out / "embeddings.parquet", out=out / "index")
    search(out / "index", code=str(query), k=5)
    _judge(console, Contestants.of(corpus, run, seed), out)


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


def _judge(console: Console, contestants: Contestants, out: Path) -> None:
    console.rule("4 · is the nearest program another implementation of the same task?")
    units, representations, same_task = find_same_task(contestants)
    console.print(query_table(units, representations, task_of, QUERIES))
    console.print(figure_table(f"All {len(units)} programs as queries", same_task))
    console.rule("5 · is the nearest optimised function the same function?")
    optimised = find_optimised(contestants)
    pool = next(iter(optimised.values())).pool
    console.print(figure_table(f"{pool} functions at O0 among those at O1–O3", optimised))
    draw_map(out / "map.png", representations[0].vectors, [task_of(unit) for unit in units])
    figures = {
        "same_task": {name: asdict(figure) for name, figure in same_task.items()},
        "optimised": {name: asdict(figure) for name, figure in optimised.items()},
    }
    write_atomically(out / "metrics.json", json.dumps(figures, indent=2).encode() + b"\n")
    console.print(f"map of the embeddings: {out / 'map.png'}; figures: {out / 'metrics.json'}")
