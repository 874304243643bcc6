import json
import shutil

import pytest

from ir_pipeline import build_corpus
from oscar.cli import run


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A corpus of ten small modules, two views."""
    folder = tmp_path_factory.mktemp("modules")
    for i in range(10):
        text = f"define i32 @f{i}(i32 %x) {{\n  %y = add i32 %x, {i + 1}\n  ret i32 %y\n}}\n"
        (folder / f"{i}.ll").write_text(text)
    build_corpus([folder], folder / "corpus", views=2, workers=1)
    return folder / "corpus"


@pytest.fixture
def copy(made, tmp_path):
    return shutil.copytree(made, tmp_path / "copy")


def test_a_sound_corpus_is_one_line(made, capsys):
    assert run(["corpus", "verify", str(made)]) == 0
    said = capsys.readouterr()
    assert said.out == f"{made}: sound: 10 rows of 10 functions, 20 instructions\n"
    assert said.err == ""


def test_faults_are_lines_and_a_status(copy, capsys):
    (copy / "shards" / "part-00000.parquet").write_bytes(b"")
    (copy / "shards" / "[red]\nmine").touch()
    assert run(["corpus", "verify", str(copy)]) == 1
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 2
    assert said.err.startswith(f"oscar: {copy}: 2 faults; make the corpus again with")
    assert len(said.err.splitlines()) == 1


def test_what_is_no_corpus_is_one_line(tmp_path, capsys):
    for verb in ("verify", "stats"):
        assert run(["corpus", verb, str(tmp_path)]) == 1
        assert "not a corpus" in capsys.readouterr().err


def test_stats_print_write_and_draw(made, tmp_path, capsys):
    figures, drawing = tmp_path / "a" / "stats.json", tmp_path / "stats.svg"
    words = ["corpus", "stats", str(made), "--json", str(figures), "--plot", str(drawing)]
    assert run(words) == 0
    out = capsys.readouterr().out
    assert "opcode: add" in out
    assert "left out: identical view" in out
    assert "license" not in out  # of .ll files nothing is known
    found = json.loads(figures.read_text())
    assert found["opcodes"] == {"add": 10, "ret": 10}
    assert found["views"] == {"O0": 10}
    assert drawing.stat().st_size
    assert run([*words[:3], "--plot", "x.txt"]) == 1


def test_split_writes_parts_that_other_verbs_take(made, tmp_path, capsys):
    out = tmp_path / "parts"
    words = ["corpus", "split", str(made), "--out", str(out), "--by", "unit"]
    assert run([*words, "--fractions", "50", "50", "--without-clones", "--seed", "1"]) == 0
    assert "left out as clones" in capsys.readouterr().out
    assert sorted(path.name for path in out.iterdir()) == ["README.md", "test", "train"]
    for name in ("train", "test"):
        assert run(["corpus", "verify", str(out / name)]) == 0
    assert run(words) == 1
    assert "holds other files" in capsys.readouterr().err
    assert run([*words[:-1], "file"]) == 2
