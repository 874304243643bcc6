import json

from oscar.cli import run


def test_functions_are_looked_for_at_other_levels(project, model_folder, tmp_path, capsys):
    out = tmp_path / "results"
    words = ["evaluate", "binary-diffing", str(project), "--model", str(model_folder)]
    assert run([*words, "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    metrics = json.loads((out / "metrics.json").read_text())
    assert metrics["facts"]["functions_at_O0"] == 4
    assert len(metrics["results"]) == 4 * 3
    for name, figures in metrics["results"].items():
        assert (figures["queries"], figures["pool"]) == (4, 4), name
        assert figures["recall_at_1"] <= figures["recall_at_5"] == 1
    assert "O2 → O3" in printed
    assert "names" in (out / "results.md").read_text()


def test_a_pool_without_functions_is_one_clear_line(project, tmp_path, capsys):
    words = ["evaluate", "binary-diffing", str(project), "--least-blocks", "99"]
    assert run([*words, "--out", str(tmp_path / "out")]) == 1
    assert "no function" in capsys.readouterr().err
