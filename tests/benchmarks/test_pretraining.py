import gzip
import json
from dataclasses import asdict

import numpy as np
import pytest

from benchmarks.parts.ablations import ABLATIONS, Experiment, Outcome
from benchmarks.parts.program_pool import ProgramPool
from benchmarks.pretraining import curve_of, main, table_of
from finetune.evaluation.retrieval import Retrieval
from ir_pipeline import build_corpus
from oscar.config import OscarConfig
from pretrain.config import TrainingConfig
from static_analysis import OscarError

BODIES = {
    "sum": "int f(int n) {{ int s = {0}; while (n) s += n--; return s; }}",
    "power": "double f(double x, int n) {{ double y = {0}; while (n--) y *= x; return y; }}",
    "max": "int f(int *a, int n) {{ int m = {0}; while (n--) if (a[n] > m) m = a[n]; return m; }}",
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Nine labelled programs, three a problem."""
    folder = tmp_path_factory.mktemp("programs")
    with gzip.open(folder / "programs.jsonl.gz", "wt") as file:
        for index, (label, body) in enumerate(BODIES.items()):
            for number in range(3):
                code = body.format(number) + f" int main() {{ return {number}; }}"
                row = {"label": label, "index": 3 * index + number, "code": code}
                file.write(json.dumps(row) + "\n")
    build_corpus([folder / "programs.jsonl.gz"], folder / "corpus", views=["O0", "O2"], workers=1)
    return folder / "corpus"


def test_the_first_programs_of_each_problem_are_judged(corpus):
    pool = ProgramPool.of(corpus, 2)
    assert pool.labels == ["sum", "sum", "power", "power", "max", "max"]
    assert {row.view for row in pool.rows} == {"O0"}
    assert len(pool.rows) == 12
    assert pool.judge(np.repeat(np.eye(3), 2, axis=0)).map_at_r == 1
    baselines = pool.baselines()
    assert baselines["opcode histogram"].map_at_r == 1
    assert baselines["bag of IR tokens, TF-IDF"].queries == 6


def test_programs_without_labels_are_refused(tmp_path):
    (tmp_path / "one.c").write_text("int main() { return 1; }")
    build_corpus([tmp_path], tmp_path / "corpus", views=["O0"], workers=1)
    with pytest.raises(OscarError, match="no two programs of one problem"):
        ProgramPool.of(tmp_path / "corpus", 20)


def test_ablations_are_models_that_can_be_built():
    for ablation in ABLATIONS.values():
        OscarConfig.preset("tiny", **ablation.model)
        TrainingConfig(**ablation.training)


def test_a_table_and_a_curve_of_two_configurations():
    outcome = Outcome(
        100,
        {0: Retrieval(0.1, 0.2, 0.3, 6), 100: Retrieval(0.4, 0.5, 0.6, 6)},
        [{"step": 100, "seconds": 90.0, "functions_per_second": 7.0, "validation/mrr": 0.5}],
    )
    pool = ProgramPool([], ["sum"] * 6)
    table = table_of({"full": outcome, "no-pce": outcome}, {"a": Retrieval(0.3, 0.4, 0, 6)}, pool)
    rows = [list(cells) for cells in zip(*(column.cells for column in table.columns), strict=True)]
    assert rows[1][-3:] == ["10.0 %", "40.0 %", "50.0 %"]
    assert rows[2][-3:] == ["", "30.0 %", "40.0 %"]
    assert curve_of(outcome, minutes=3) == {0.0: 0.1, 3.0: 0.4}


def test_outcomes_come_back_from_their_file(tmp_path):
    outcome = Outcome(8, {0: Retrieval(0.1, 0.2, 0.3, 6)}, [{"step": 8.0}])
    outcome.write(tmp_path / "outcome.json")
    assert Outcome.read(tmp_path / "outcome.json") == outcome
    assert not outcome.finished
    assert Outcome.read(tmp_path / "nothing.json") is None


@pytest.mark.slow
def test_a_stopped_experiment_goes_on_and_a_finished_one_is_left_alone(corpus, tmp_path):
    judged = []

    def judge(model):
        judged.append(model)
        if len(judged) == 2:
            raise KeyboardInterrupt
        return Retrieval(0.1, 0.2, 0.3, 9)

    options = TrainingConfig(batch_size=2, validation_share=0.0)
    experiment = Experiment(corpus, tmp_path, 0.05, options, judge)
    with pytest.raises(KeyboardInterrupt):
        experiment.run("no-pce")
    outcome = experiment.run("no-pce")
    assert outcome.finished
    assert outcome.metrics[-1]["step"] == outcome.steps
    assert min(outcome.judged) == 0
    calls = len(judged)
    assert asdict(experiment.run("no-pce")) == asdict(outcome)
    assert len(judged) == calls


@pytest.mark.slow
def test_the_command_from_end_to_end(corpus, tmp_path, capsys):
    figures, plot = tmp_path / "figures.json", tmp_path / "plot.svg"
    main(
        corpus,
        corpus,
        out=tmp_path / "runs",
        minutes=0.05,
        configs=["full"],
        programs_per_problem=3,
        batch_size=2,
        json_file=figures,
        plot=plot,
    )
    printed = capsys.readouterr().out
    assert ABLATIONS["full"].title in printed
    assert "opcode histogram" in printed
    assert json.loads(figures.read_text())["configurations"].keys() == {"full"}
    assert "<svg" in plot.read_text()
