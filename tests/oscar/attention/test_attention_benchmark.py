import json

import pytest
import torch

from benchmarks.attention import Cell, Limits, floor, main
from benchmarks.parts.attention_cells import extra_memory
from benchmarks.parts.attention_factors import factor


@pytest.mark.parametrize(("rpe", "algorithms"), [("t5", False), ("free", True), ("none", True)])
@pytest.mark.filterwarnings("default")
def test_one_table_and_the_same_figures_for_machines(
    tmp_path, capsys, monkeypatch, rpe, algorithms
):
    monkeypatch.setattr("benchmarks.parts.attention_cells.ENOUGH_SECONDS", 0.0)
    out = tmp_path / "figures.json"
    sizes = {"lengths": [8, 16], "sizes": [4], "threads": [1], "rpe": rpe}
    main(**sizes, causal=algorithms, algorithms=algorithms, json_file=out)
    rows = json.loads(out.read_text())
    assert [row["n"] for row in rows] == [8, 16]
    assert all(cell["both_ms"] > 0 for row in rows for cell in row["cells"].values())
    printed = capsys.readouterr().out
    assert all(name in printed for name in ("auto", "ours", "reference_fft"))


def test_cells_beyond_the_limits_are_left_out():
    limits = Limits(seconds=1.0, gigabytes=1.0)
    assert limits.allow([], 64)
    assert limits.allow([(64, Cell(1, 100, 10))], 128)
    assert not limits.allow([(64, Cell(1, 300, 10))], 128)  # four times as long is too long
    linear_so_far = [(16, Cell(1, 75, 20)), (64, Cell(1, 300, 20))]
    assert limits.allow(linear_so_far, 128)
    assert limits.allow(linear_so_far, 192)
    assert not limits.allow(linear_so_far, 256)
    assert not limits.allow([(64, Cell(1, 1, 300))], 128)
    assert not limits.allow([(64, Cell())], 128)


def test_the_memory_of_a_large_intermediate_is_seen():
    x = [torch.ones(1, 1, 1, 1, requires_grad=True)]

    def attend(x):
        return x + (torch.ones(5_000_000).sum() * 0)

    assert 18 < extra_memory(attend, x) < 40


def test_the_floor_of_dense_attention_grows_with_the_square():
    assert floor(64, 32, None, False, "dense") < floor(128, 32, None, False, "dense") / 2


def test_a_factor_is_positive(monkeypatch):
    monkeypatch.setattr("benchmarks.parts.attention_cells.ENOUGH_SECONDS", 0.0)
    assert factor("band", "t5", False, 300, "cpu") > 0
