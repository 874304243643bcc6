import json
from dataclasses import dataclass

import pytest

from finetune.evaluation.results import Evaluation, Result


@dataclass(frozen=True)
class Figures:
    recall_at_1: float
    mrr: float
    pool: int


@pytest.fixture
def evaluation():
    results = {
        "words": Result(Figures(0.25, 0.375, 8), (0.2, 0.3)),
        "run, LDA": Result(Figures(0.5, 0.625, 8), (0.4, 0.6), {"mrr_low": 0.4}, model="run"),
        "run2": Result(Figures(0.75, 0.875, 8), (0.7, 0.8), model="run2"),
    }
    facts = {"learned_from": "nothing"}
    return Evaluation("Found among 8", results, facts, "search", {"curve.svg": "A curve"})


def test_results_are_written_as_a_table_with_what_they_depend_on(evaluation, tmp_path):
    evaluation.write(tmp_path / "out")
    assert (tmp_path / "out" / "results.md").read_text() == (
        "Found among 8, in %:\n\n"
        "| representation | recall@1 | 95 % interval | MRR | mrr low |\n"
        "|---|---|---|---|---|\n"
        "| words | 25.0 | 20.0 – 30.0 | 37.5 |  |\n"
        "| run, LDA | 50.0 | 40.0 – 60.0 | 62.5 | 40.0 |\n"
        "| run2 | 75.0 | 70.0 – 80.0 | 87.5 |  |\n\n"
        "- learned from: nothing\n\n"
        "![A curve](curve.svg)\n"
    )
    record = json.loads((tmp_path / "out" / "metrics.json").read_text())
    assert record["results"]["words"]["recall_at_1_interval"] == [0.2, 0.3]
    assert record["facts"] == {"learned_from": "nothing"}


def test_a_models_card_has_its_figures_and_those_of_the_baselines(evaluation):
    section = evaluation.card_section("run")
    assert "| words | 25.0 | 20.0 – 30.0 |" in section
    assert "| **this model**, LDA | 50.0 | 40.0 – 60.0 |" in section
    assert "run2" not in section
    assert "curve.svg" not in section
    assert evaluation.results["run2"].headline == 0.75
