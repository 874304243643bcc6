import io

import pytest
from rich.console import Console

from pretrain import progress
from pretrain.progress import ProgressReport, summary


def shown(terminal: bool) -> str:
    console = Console(file=io.StringIO(), force_terminal=terminal, width=100)
    with ProgressReport(console, start=2, steps=4, batch_size=8) as report:
        report.show(3, 5.25)
        report.show(4, 5.125)
        assert report.speed(4) == pytest.approx(16 / report.seconds, rel=0.1)
    return console.file.getvalue()


def test_a_terminal_gets_a_bar():
    assert "4/4" in shown(terminal=True)
    assert "loss 5.125" in shown(terminal=True)


def test_a_file_gets_a_line_now_and_then(monkeypatch):
    assert shown(terminal=False) == ""
    monkeypatch.setattr(progress, "_SECONDS_BETWEEN_LINES", 0.0)
    first, last = shown(terminal=False).splitlines()
    assert first.startswith("step 3/4 · loss 5.250 · ")
    assert last.startswith("step 4/4 · loss 5.125 · ")
    assert last.endswith("0:00:00 left")


def test_the_summary_sets_the_end_beside_the_beginning(tmp_path):
    figures = [{"step": i, "loss": float(10 - i), "learning_rate": 0.1} for i in range(1, 5)]
    console = Console(file=io.StringIO(), width=80)
    console.print(summary(figures, {"functions": 12}, tmp_path))
    lines = [line.split() for line in console.file.getvalue().splitlines()]
    assert ["│", "functions", "│", "│", "12", "│"] in lines
    assert ["│", "loss", "│", "8.500", "│", "6.500", "│"] in lines
    assert not any("learning" in line for line in lines)
