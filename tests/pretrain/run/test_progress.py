import io

import pytest
from rich.console import Console

from pretrain.run import progress
from pretrain.run.progress import Meter, ProgressReport, summary


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes on when told to."""
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def counts(functions: int) -> dict[str, int]:
    parts = {"groups": 8, "duplicates": 2, "slots": 200, "padding": 50}
    return {
        "functions": functions,
        "instructions": 10 * functions,
        "tokens": 100 * functions,
        **{name: value * functions for name, value in parts.items()},
    }


def shown(terminal: bool, clock, minutes=None) -> str:
    console = Console(file=io.StringIO(), force_terminal=terminal, width=100)
    meter = Meter()
    with ProgressReport(
        console, start=2, steps=6, meter=meter, what="training", minutes=minutes
    ) as report:
        for done, loss in ((3, 5.25), (4, 5.125)):
            clock[0] += 2
            meter.add(counts(8))
            report.show(done, loss)
    return console.file.getvalue()


def test_a_terminal_gets_a_bar():
    console = Console(file=io.StringIO(), force_terminal=True, width=100)
    with ProgressReport(console, start=2, steps=4, meter=Meter(), what="tuning") as report:
        report.show(4, 5.125)
    assert "tuning" in console.file.getvalue()
    assert "4/4" in console.file.getvalue()
    assert "loss 5.125" in console.file.getvalue()


def test_a_file_gets_a_line_now_and_then(monkeypatch, clock):
    assert shown(terminal=False, clock=clock) == ""
    monkeypatch.setattr(progress, "_SECONDS_BETWEEN_LINES", 0.0)
    first, last = shown(terminal=False, clock=clock).splitlines()
    assert first == "step 3/6 · loss 5.250 · 400 tokens/s · 0:00:06 left"
    assert last == "step 4/6 · loss 5.125 · 400 tokens/s · 0:00:04 left"


def test_the_time_left_is_that_of_the_budget_where_it_is_shorter(monkeypatch, clock):
    monkeypatch.setattr(progress, "_SECONDS_BETWEEN_LINES", 0.0)
    first, last = shown(terminal=False, clock=clock, minutes=0.05).splitlines()
    assert first.endswith("0:00:01 left")
    assert last.endswith("0:00:00 left")


def test_speed_is_in_instructions_where_no_token_is_read(monkeypatch, clock):
    monkeypatch.setattr(progress, "_SECONDS_BETWEEN_LINES", 0.0)
    console, meter = Console(file=io.StringIO(), width=100), Meter()
    with ProgressReport(console, start=0, steps=2, meter=meter, what="tuning") as report:
        clock[0] += 2
        meter.add({**counts(8), "tokens": 0})
        report.show(1, 5.25)
    assert "40 instructions/s" in console.file.getvalue()


def test_a_line_of_metrics_has_the_rates_since_the_last(clock):
    meter = Meter(seconds=100)
    for functions, seconds in ((4, 1), (6, 1), (3, 6)):
        clock[0] += seconds
        meter.add(counts(functions))
        if seconds == 6:
            line = meter.line()
        elif functions == 6:
            meter.line()
    assert line == {
        "functions_per_second": 0.5,
        "instructions_per_second": 5,
        "tokens_per_second": 50,
        "padding_share": 0.25,
        "duplicate_share": 0.25,
        "seconds": 108,
    }
    assert meter.speed("functions") == 13 / 8


def test_the_summary_sets_the_end_beside_the_beginning(tmp_path):
    figures = [{"step": i, "loss": float(10 - i), "learning_rate": 0.1} for i in range(1, 5)]
    figures[1]["validation/mrr"] = 0.25
    console = Console(file=io.StringIO(), width=80)
    console.print(summary(figures, {"functions": 12}, tmp_path))
    lines = [line.split() for line in console.file.getvalue().splitlines()]
    assert ["│", "functions", "│", "│", "12", "│"] in lines
    assert ["│", "loss", "│", "8.500", "│", "6.500", "│"] in lines
    assert ["│", "validation/mrr", "│", "0.250", "│", "0.250", "│"] in lines
    assert not any("learning" in line for line in lines)
