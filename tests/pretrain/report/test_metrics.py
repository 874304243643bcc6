import json

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from pretrain.report.metrics import MetricsLog, read_metrics


def write(folder, start, steps):
    with MetricsLog(folder / "metrics.jsonl", folder / "board", start) as log:
        for step in steps:
            log.write({"step": step, "loss": step / 2})


def test_figures_are_written_as_lines_and_as_curves(tmp_path):
    write(tmp_path, 0, [1, 2])
    assert read_metrics(tmp_path / "metrics.jsonl") == [
        {"step": 1, "loss": 0.5},
        {"step": 2, "loss": 1.0},
    ]
    board = EventAccumulator(str(tmp_path / "board")).Reload()
    assert [(e.step, e.value) for e in board.Scalars("train/loss")] == [(1, 0.5), (2, 1.0)]


def test_figures_of_held_out_functions_have_curves_of_their_own(tmp_path):
    with MetricsLog(tmp_path / "metrics.jsonl", tmp_path / "board", 0) as log:
        log.write({"step": 3, "validation/mrr": 0.5})
    board = EventAccumulator(str(tmp_path / "board")).Reload()
    assert [(e.step, e.value) for e in board.Scalars("validation/mrr")] == [(3, 0.5)]


def test_steps_after_the_checkpoint_are_written_once(tmp_path):
    write(tmp_path, 0, [1, 2, 3])
    with (tmp_path / "metrics.jsonl").open("a") as file:
        file.write('{"step": 4, "lo')
    write(tmp_path, 2, [3, 4])
    lines = (tmp_path / "metrics.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines] == [1, 2, 3, 4]
    board = EventAccumulator(str(tmp_path / "board")).Reload()
    assert [e.step for e in board.Scalars("train/loss")] == [1, 2, 3, 4]


def test_there_may_be_no_file_yet(tmp_path):
    assert read_metrics(tmp_path / "metrics.jsonl") == []


@pytest.mark.parametrize("start", [0, 5])
def test_a_run_started_over_begins_an_empty_file(tmp_path, start):
    write(tmp_path, 0, [6, 7])
    write(tmp_path, start, [])
    assert read_metrics(tmp_path / "metrics.jsonl") == []
