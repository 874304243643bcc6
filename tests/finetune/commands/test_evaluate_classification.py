import json

from oscar.cli import run


def test_classes_are_probed_for_baselines_and_models(ten_each_file, model_folder, tmp_path, capsys):
    out = tmp_path / "results"
    words = ["evaluate", "classification", str(ten_each_file), "--out", str(out)]
    assert run([*words, "--model", str(model_folder), "--views", "O0"]) == 0
    printed = capsys.readouterr().out
    metrics = json.loads((out / "metrics.json").read_text())
    assert metrics["facts"]["judged"] == 4
    assert metrics["results"]["opcode histogram"]["error"] == 0
    assert {"OSCAR, untrained", str(model_folder)} < set(metrics["results"])
    assert "macro F1" in printed
    assert run(["evaluate", "classification", str(ten_each_file), "--out", str(out)]) == 1
    assert "holds results: name another folder with --out, or give --force" in (
        capsys.readouterr().err
    )


def test_a_label_of_few_programs_is_one_clear_line(collection_file, collection, tmp_path, capsys):
    words = ["evaluate", "classification", str(collection_file), "--out", str(tmp_path / "out")]
    assert run([*words, "--corpus", str(collection.corpus.path)]) == 1
    assert "label 'sum' has 3 programs: 5 or more" in capsys.readouterr().err
    assert run([*words, "--per-label", "0"]) == 1
    assert "--per-label 0: take at least one" in capsys.readouterr().err
