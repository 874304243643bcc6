"""The command line as a user meets it: what it prints, what it leaves, how it ends."""

import json
import signal
import subprocess
import sys
import time

import pytest

from oscar.cli import run

MACRO_BOMB = "\n".join(f"#define M{i + 1} M{i} M{i} M{i} M{i}" for i in range(30)) + "\nM30\n"


def oscar(capsys, *arguments) -> tuple[int, str, str]:
    status = run([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.fixture
def embedded(capsys, project, model_folder, tmp_path):
    """An embeddings file of the project, written by the verb."""
    file = tmp_path / "e.parquet"
    status, out, err = oscar(capsys, "embed", project, "--model", model_folder, "--out", file)
    assert (status, err) == (0, "")
    assert "4 functions embedded" in out
    return file


def test_search_finds_the_function_itself_first(capsys, embedded, project, tmp_path):
    index, answer = tmp_path / "index", tmp_path / "answer.json"
    status, out, _ = oscar(capsys, "index", embedded, "--out", index)
    assert status == 0
    assert "4 functions indexed (exact)" in out
    query = f"{project / 'sum.c'}:product"
    status, out, _ = oscar(capsys, "search", index, "--code", query, "-k", 3, "--json", answer)
    assert status == 0
    (found,) = json.loads(answer.read_text())
    first, *others = found["neighbours"]
    assert (first["function"]["function"], first["function"]["unit"]) == ("product", "sum.c")
    assert first["score"] == pytest.approx(1, abs=1e-5)
    assert len(others) == 2
    assert "product" in out
    assert "sum.c" in out


def test_inspect_shows_each_instruction_with_its_positions(capsys, project):
    status, out, _ = oscar(capsys, "inspect", f"{project / 'sum.c'}:sum", "--view", "O1")
    assert status == 0
    assert "ret i32" in out
    assert "return" in out
    assert "loop" in out


def test_doctor_is_content_here(capsys):
    status, out, _ = oscar(capsys, "doctor")
    assert status == 0
    for part in ("llvmlite", "front end", "accelerator"):
        assert part in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["inspect", "nowhere.c"], "there is no file"),
        (["preprocess", "--out", "OUT"], "no source given: name folders, files"),
        (["embed", "--model", "MODEL", "--out", "OUT"], "no input given: name sources"),
        (["index", "nowhere.parquet", "--out", "OUT"], "there is no file"),
        (["search", "NOWHERE", "--code", "x.c"], "is not an index"),
        (["embed", "PROJECT", "--model", "NOWHERE", "--out", "OUT"], "NOWHERE"),
        (["embed", "NOWHERE", "--model", "MODEL", "--out", "OUT"], "NOWHERE"),
        (["embed", "PROJECT", "--model", "MODEL", "--out", "EMPTY"], "EMPTY is a folder"),
        (["embed", "PROJECT", "--model", "MODEL", "--out", "BINARY"], "holds no embeddings"),
        (["index", "MODEL/config.json", "--out", "OUT"], "holds no embeddings"),
        (["embed", "CORPUS", "--model", "MODEL", "--out", "OUT", "--view", "O2"], "O2"),
        (["embed", "EMPTY", "--model", "MODEL", "--out", "OUT"], "EMPTY"),
        (["inspect", "BINARY"], "binary.c"),
        (["inspect", "PROJECT/sum.c", "--clang", "/bin/true"], "/bin/true"),
        (["inspect", "PROJECT/sum.c", "--view", "O9"], "O9"),
    ],
)
def test_bad_input_is_one_clear_line_and_leaves_nothing(
    capsys, tmp_path, project, corpus, model_folder, arguments, complaint
):
    (tmp_path / "empty").mkdir()
    (tmp_path / "binary.c").write_bytes(bytes(range(256)) * 8)
    places = {
        "OUT": tmp_path / "out",
        "NOWHERE": tmp_path / "nowhere",
        "EMPTY": tmp_path / "empty",
        "BINARY": tmp_path / "binary.c",
        "PROJECT": project,
        "CORPUS": corpus,
        "MODEL": model_folder,
    }

    def place(text: str) -> str:
        for name, path in places.items():
            text = text.replace(name, str(path))
        return text

    before = set(tmp_path.iterdir())
    status, _, err = oscar(capsys, *map(place, arguments))
    assert status == 1
    assert err.startswith("oscar: ")
    assert len(err.strip().splitlines()) == 1
    assert place(complaint) in err
    assert set(tmp_path.iterdir()) == before


def test_an_index_refuses_another_model(capsys, embedded, project, corpus, tmp_path):
    import torch

    from oscar import OscarConfig, OscarModel, OscarTokenizer

    tokenizer = OscarTokenizer.train(corpus)
    torch.manual_seed(1)
    other = tmp_path / "other"
    config = OscarConfig.preset("tiny", **tokenizer.config_fields())
    OscarModel(config).save_pretrained(other, tokenizer)
    oscar(capsys, "index", embedded, "--out", tmp_path / "index")
    arguments = ["search", tmp_path / "index", "--code", project / "sum.c", "--model", other]
    status, _, err = oscar(capsys, *arguments)
    assert status == 1
    assert "is not the model that made the index" in err


def test_an_unexpected_error_is_a_line_and_with_debug_a_traceback(tmp_path):
    command = [sys.executable, "-m", "oscar.cli", "index", str(tmp_path), "--out", "/dev/null/x"]
    plain = subprocess.run(command, capture_output=True, text=True)
    assert plain.returncode == 1
    assert "Traceback" not in plain.stderr
    debug = subprocess.run([*command, "--debug"], capture_output=True, text=True)
    assert debug.returncode == 1
    assert "Traceback" in debug.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["index"], "oscar index --help"),
        (["embed", "--nothing"], "--nothing"),
        (["pretrain", "corpus", "--out", "run", "--minutes", "soon"], "soon"),
        (["learn"], "learn"),
    ],
)
def test_wrong_usage_is_one_line_and_ends_with_status_2(capsys, arguments, complaint):
    status, _, err = oscar(capsys, *arguments)
    assert status == 2
    assert err.startswith("oscar: ")
    assert len(err.strip().splitlines()) == 1
    assert complaint in err


def test_ctrl_c_says_how_to_go_on(tmp_path):
    (tmp_path / "slow.c").write_text("int f(void) { return 1; }\n" + MACRO_BOMB)
    command = [sys.executable, "-m", "oscar.cli", "preprocess", str(tmp_path / "slow.c")]
    process = subprocess.Popen(
        [*command, "--out", str(tmp_path / "corpus")], stderr=subprocess.PIPE, text=True
    )
    while not list(tmp_path.glob("corpus/.staging*")):
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == "oscar: interrupted; the same command can be run again\n"
