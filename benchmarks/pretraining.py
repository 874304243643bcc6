"""Pretrain small models with and without each idea, and see whether it helps to find programs.

    python -m benchmarks.pretraining TRAIN VALID --out FOLDER [--minutes M] [--configs NAME ...]
        [--programs-per-problem N] [--json FILE] [--plot FILE]

TRAIN is a corpus with several views of each function, VALID one of labelled programs that solve
other problems; `oscar preprocess` makes both (docs/results.md has the commands for POJ-104). Each
program of VALID, the mean of its functions' embeddings, looks for those of its problem. No label
is used in training. A configuration that is done is not done again, one that was stopped goes on.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

import cyclopts
import torch
from rich.table import Table

from benchmarks.parts.ablations import ABLATIONS, Experiment, Outcome
from benchmarks.parts.learning_curves import draw_learning
from benchmarks.parts.program_pool import ProgramPool
from finetune.evaluation.retrieval import Retrieval
from oscar.commands.console import output
from pretrain.config import TrainingConfig

Names = Annotated[list[Literal[*ABLATIONS]], cyclopts.Parameter(consume_multiple=True)]
DEFAULTS = TrainingConfig()
COLUMNS = (
    "steps",
    "functions/s",
    "tokens guessed",
    "functions found",
    "MAP@R untrained",
    "MAP@R",
    "recall@1",
)


def table_of(
    outcomes: dict[str, Outcome], baselines: dict[str, Retrieval], pool: ProgramPool
) -> Table:
    """Give one row a configuration, and one a baseline."""
    problems = len(set(pool.labels))
    title = f"{len(pool.labels)} programs of {problems} problems not trained on"
    table = Table("", title=title, title_justify="left")
    for name in COLUMNS:
        table.add_column(name, justify="right")
    for name, outcome in outcomes.items():
        last = outcome.judged[outcome.steps]
        table.add_row(
            ABLATIONS[name].title,
            f"{outcome.steps:,}",
            f"{outcome.latest('functions_per_second') or 0:.1f}",
            _percent(outcome.held_out("accuracy_instruction")),
            _percent(outcome.held_out("recall_at_1")),
            _percent(outcome.judged[0].map_at_r),
            _percent(last.map_at_r),
            _percent(last.recall_at_1),
        )
    for name, figures in baselines.items():
        found = (_percent(figures.map_at_r), _percent(figures.recall_at_1))
        table.add_row(name, *[""] * (len(COLUMNS) - len(found)), *found)
    return table


def curve_of(outcome: Outcome, minutes: float) -> dict[float, float]:
    """Give MAP@R by minutes of training on a core of its own, all of whose steps take `minutes`."""
    return {
        minutes * step / outcome.steps: figures.map_at_r for step, figures in outcome.judged.items()
    }


def main(
    train: Path,
    valid: Path,
    /,
    *,
    out: Path,
    minutes: float = 30,
    configs: Names = list(ABLATIONS),  # noqa: B006
    programs_per_problem: int = 20,
    batch_size: int = DEFAULTS.batch_size,
    seed: int = 0,
    json_file: Annotated[Path | None, cyclopts.Parameter("--json")] = None,
    plot: Path | None = None,
) -> None:
    """Train and judge the configurations, one after the other.

    Args:
        train: corpus to train on.
        valid: corpus of labelled programs.
        out: folder of the runs.
        minutes: training time of each configuration.
        configs: names of those to train.
        programs_per_problem: how many of VALID are judged, the first of each problem.
        batch_size: functions per step.
        seed: of weights, batches and masks.
        json_file: write all figures here.
        plot: draw MAP@R over the time as an SVG.
    """
    torch.set_num_threads(1)
    console = output()
    pool = ProgramPool.of(valid, programs_per_problem)
    options = TrainingConfig(batch_size=batch_size, seed=seed)
    experiment = Experiment(
        train, out, minutes, options, lambda model: pool.judge(pool.embedded(model))
    )
    baselines, outcomes = pool.baselines(), {}
    for name in configs:
        outcomes[name] = experiment.run(name)
        last = outcomes[name].judged[outcomes[name].steps]
        console.print(f"{ABLATIONS[name].title}: MAP@R {_percent(last.map_at_r)}")
        if json_file:
            _write(json_file, {"baselines": baselines, "configurations": outcomes})
    console.print(table_of(outcomes, baselines, pool))
    if plot:
        curves = {
            ABLATIONS[name].title: curve_of(found, minutes) for name, found in outcomes.items()
        }
        draw_learning(plot, curves, {name: found.map_at_r for name, found in baselines.items()})


def _write(path: Path, figures: Mapping[str, Mapping[str, Any]]) -> None:
    plain = {kind: {n: asdict(f) for n, f in part.items()} for kind, part in figures.items()}
    path.write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f} %"


if __name__ == "__main__":
    cyclopts.run(main)
