import json

import pytest

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
    text = (out / "results.md").read_text()
    assert "names" in text
    for pair in ("O0-O1", "O0-O3", "O1-O3", "O2-O3"):
        assert f"](recall-by-size-{pair}.svg)" in text
        assert f"<!-- {model_folder} -->" in (out / f"recall-by-size-{pair}.svg").read_text()


def test_a_pool_without_functions_is_one_clear_line(project, tmp_path, capsys):
    words = ["evaluate", "binary-diffing", str(project), "--least-blocks", "99"]
    assert run([*words, "--out", str(tmp_path / "out")]) == 1
    assert "no function" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.fixture
def lifted(tmp_path):
    """Two lifted programs whose functions have no names in common, and which are the same."""
    body = "(i32 %x) {{\n  %y = {} i32 %x, {}\n  ret i32 %y\n}}\n"
    kinds = [("add", 3), ("mul", 5), ("shl", 2)]
    texts = ["", ""]
    for number, (operation, constant) in enumerate(kinds):
        for side in (0, 1):
            name = f"function_{401000 + (number if side else 16 * number)}"
            texts[side] += f"define i32 @{name}" + body.format(operation, constant)
    for name, text in zip(("old", "new"), texts, strict=True):
        (tmp_path / f"{name}.ll").write_text(text)
    pairs = [f"function_{401000 + 16 * i},function_{401000 + i}" for i in range(3)]
    (tmp_path / "names.csv").write_text("\n".join(pairs))
    return tmp_path


def test_two_lifted_programs_are_compared_as_they_are(lifted, model_folder, capsys):
    words = ["evaluate", "binary-diffing", str(lifted / "old.ll")]
    words += ["--against", str(lifted / "new.ll"), "--out", str(lifted / "results")]
    words += ["--model", str(model_folder)]
    assert run([*words, "--names", str(lifted / "names.csv")]) == 0
    assert "another program" in capsys.readouterr().out
    metrics = json.loads((lifted / "results" / "metrics.json").read_text())
    assert set(metrics["results"]) == {"opcode histogram", "OSCAR, untrained", str(model_folder)}
    for figures in metrics["results"].values():
        assert (figures["queries"], figures["pool"], figures["recall_at_1"]) == (3, 3, 1)
    assert metrics["facts"]["functions_at_first"] == 3
    assert run(words) == 1
    assert "--force" in capsys.readouterr().err
    assert run([*words, "--force"]) == 1
    assert "no function has the same name" in capsys.readouterr().err


def test_names_without_a_second_program_are_one_clear_line(project, tmp_path, capsys):
    words = ["evaluate", "binary-diffing", str(project), "--out", str(tmp_path / "out")]
    assert run([*words, "--names", "names.csv"]) == 1
    assert "--names goes with --against" in capsys.readouterr().err
